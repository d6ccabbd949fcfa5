package io.rdma4j.testkit.contract;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One thing that a provider must do: how it is called, what is expected, and how that is tried. Immutable.
 *
 * <pre>{@code
 * ContractCase.of("rc/SendEmptySgl", "a SEND without elements succeeds; 0 bytes arrive")
 *         .covers(Feature.SEND_RECEIVE, Feature.ZERO_LENGTH)
 *         .run(bed -> {
 *             Pair pair = bed.pair();
 *             pair.b().postReceive(100, 0, 64);
 *             pair.a().post(Send.of(1).signaled());
 *             pair.a().expectSent(1);
 *             assertEquals(0, pair.b().expectReceived(100).byteLength());
 *         });
 * }</pre>
 */
public final class ContractCase {
    private final String id;
    private final String expectation;
    private final Set<Feature> features;
    private final Set<Need> needs;
    private final List<Variant> variants;

    private ContractCase(Builder builder, List<Variant> variants) {
        this.id = builder.id;
        this.expectation = builder.expectation;
        this.features = Collections.unmodifiableSet(builder.features);
        this.needs = Collections.unmodifiableSet(builder.needs);
        this.variants = List.copyOf(variants);
    }

    /**
     * Begins a case.
     *
     * @param id section and name, such as {@code qp/ReuseQp}
     * @param expectation what must hold, in one short sentence without a line break
     */
    public static Builder of(String id, String expectation) {
        return new Builder(id, expectation);
    }

    public String id() {
        return id;
    }

    public String expectation() {
        return expectation;
    }

    /** The rows of the feature table that the case is a proof of. */
    public Set<Feature> features() {
        return features;
    }

    public Set<Need> needs() {
        return needs;
    }

    /** The case once for each set of parameters. */
    public List<Variant> variants() {
        return variants;
    }

    @Override
    public String toString() {
        return id;
    }

    /**
     * The case with one set of parameters.
     *
     * @param parameters in words, empty when there are none
     * @param body tries it; throws what JUnit takes for a failure
     */
    public record Variant(String parameters, Consumer<ContractBed> body) {}

    /** A case that does not know yet what to do; {@link #run} or {@link #each} completes it. */
    public static final class Builder {
        private final String id;
        private final String expectation;
        private final Set<Feature> features = EnumSet.noneOf(Feature.class);
        private final Set<Need> needs = EnumSet.noneOf(Need.class);

        private Builder(String id, String expectation) {
            this.id = id;
            this.expectation = expectation;
        }

        /** The rows of the feature table that the case is a proof of. */
        public Builder covers(Feature... rows) {
            Collections.addAll(features, rows);
            return this;
        }

        /** What the case cannot do without. */
        public Builder needs(Need... what) {
            Collections.addAll(needs, what);
            return this;
        }

        /** Completes a case without parameters. */
        public ContractCase run(Consumer<ContractBed> body) {
            return new ContractCase(this, List.of(new Variant("", body)));
        }

        /** Completes a case that runs once for each parameter, whose text names the run. */
        public <P> ContractCase each(Collection<P> parameters, BiConsumer<ContractBed, P> body) {
            List<Variant> variants = new ArrayList<>();
            for (P parameter : parameters) {
                variants.add(new Variant(String.valueOf(parameter), bed -> body.accept(bed, parameter)));
            }
            return new ContractCase(this, variants);
        }

        /** Completes a case that runs once for each value of an enum. */
        public <P extends Enum<P>> ContractCase each(Class<P> parameters, BiConsumer<ContractBed, P> body) {
            return each(List.of(parameters.getEnumConstants()), body);
        }
    }
}
