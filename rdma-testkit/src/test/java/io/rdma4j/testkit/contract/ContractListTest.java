package io.rdma4j.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What must hold of the list of cases itself. */
class ContractListTest {
    private static final List<ContractCase> CASES = ContractSections.all().stream()
            .flatMap(section -> section.cases().stream())
            .toList();

    @Test
    void identifiersAndParametersAreUnique() {
        assertThat(CASES).extracting(ContractCase::id).doesNotHaveDuplicates();
        assertThat(CASES)
                .allSatisfy(one -> assertThat(one.variants())
                        .as(one.id())
                        .isNotEmpty()
                        .extracting(ContractCase.Variant::parameters)
                        .doesNotHaveDuplicates());
    }

    /** They stand in tables and reports, one line each. */
    @Test
    void everyCaseSaysInOneLineWhatItExpects() {
        assertThat(CASES).allSatisfy(one -> {
            assertThat(one.id()).matches("[a-z]+/[A-Za-z0-9-]+");
            assertThat(one.expectation()).matches("[^\t\n|]{3,160}");
            assertThat(one.features()).as(one.id()).isNotEmpty();
        });
    }

    /** And one that runs somewhere: on the fabric. */
    @Test
    void everyFeatureOfTheFirstTierHasACase() {
        try (FabricBed bed = new FabricBed()) {
            Set<Feature> covered = CASES.stream()
                    .filter(one -> !isExcluded(bed, one))
                    .flatMap(one -> one.features().stream())
                    .collect(Collectors.toSet());

            assertThat(EnumSet.allOf(Feature.class))
                    .filteredOn(feature -> feature.tier() == 1)
                    .isSubsetOf(covered);
        }
    }

    @Test
    void theFabricIsExcludedFromOneCaseInTwentyAtMost() {
        try (FabricBed bed = new FabricBed()) {
            assertThat(CASES).filteredOn(one -> isExcluded(bed, one)).hasSizeLessThanOrEqualTo(CASES.size() / 20);
        }
    }

    private static boolean isExcluded(ContractBed bed, ContractCase one) {
        return one.needs().stream().anyMatch(need -> bed.reasonAgainst(need).isPresent());
    }
}
