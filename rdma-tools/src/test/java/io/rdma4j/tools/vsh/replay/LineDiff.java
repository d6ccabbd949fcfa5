package io.rdma4j.tools.vsh.replay;

import java.util.ArrayList;
import java.util.List;

/** What to take from one list of lines and to add to get another: the fewest lines, as diff(1) shows them. */
final class LineDiff {
    private LineDiff() {}

    /** Lines behind {@code - } that are in the first list alone, and behind {@code + } in the second alone, in order. */
    static List<String> of(List<String> first, List<String> second) {
        int[][] common = common(first, second);
        List<String> lines = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < first.size() || j < second.size()) {
            if (i < first.size() && j < second.size() && first.get(i).equals(second.get(j))) {
                i++;
                j++;
            } else if (j == second.size() || i < first.size() && common[i + 1][j] >= common[i][j + 1]) {
                lines.add("- " + first.get(i++));
            } else {
                lines.add("+ " + second.get(j++));
            }
        }
        return lines;
    }

    /** How many lines the rest of the first list, from each line on, has in common with the rest of the second. */
    private static int[][] common(List<String> first, List<String> second) {
        int[][] common = new int[first.size() + 1][second.size() + 1];
        for (int i = first.size() - 1; i >= 0; i--) {
            for (int j = second.size() - 1; j >= 0; j--) {
                common[i][j] = first.get(i).equals(second.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
