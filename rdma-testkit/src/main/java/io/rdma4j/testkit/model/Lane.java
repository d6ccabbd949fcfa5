package io.rdma4j.testkit.model;

import io.rdma4j.verbs.ConnectOptions;
import java.util.List;

/**
 * What one queue pair does in a step: requests from one side only, so that an error of the one end cannot race with
 * requests of the other.
 *
 * @param queuePair which queue pair
 * @param from index of the node that posts the requests
 * @param options what the connection was made with
 * @param receives posted by the other side, before the requests
 * @param lateReceives posted by the other side when the requests have met RNR
 * @param requests in posting order
 */
record Lane(
        int queuePair,
        int from,
        ConnectOptions options,
        List<PostedReceive> receives,
        List<PostedReceive> lateReceives,
        List<Request> requests) {}
