package io.rdma4j.testkit.contract;

/** The simulated fabric fulfils the contract to the letter. */
class FabricContractTest extends VerbsContract {
    @Override
    protected ContractBed bed() {
        return new FabricBed();
    }
}
