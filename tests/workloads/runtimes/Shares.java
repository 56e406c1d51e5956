// SPDX-License-Identifier: GPL-2.0-only
// Shares SECONDS: methods that use about 25 and 75 % of the CPU time; says "ready" when they are
// compiled, and at the end or SIGTERM what they used: {"functions_ns": {"share25": ..., "share75": ...}}
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

public class Shares {
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();
    private static long spent25, spent75;
    private static int sum;

    static int share25(int rounds) {
        int sum = 1;
        for (int i = 0; i < rounds; i++)
            sum = (sum * 31 + i) % 1000003;
        return sum;
    }

    static int share75(int rounds) {
        int sum = 1;
        for (int i = 0; i < rounds; i++)
            sum = (sum * 17 + i) % 1000033;
        return sum;
    }

    static void spend(long seconds) {
        final long until = System.nanoTime() + seconds * 1000000000L;

        while (System.nanoTime() < until) {
            final long start = CLOCK.getCurrentThreadCpuTime();

            for (int i = 0; i < 10; i++)
                sum += share25(20000);
            final long middle = CLOCK.getCurrentThreadCpuTime();

            for (int i = 0; i < 30; i++)
                sum += share75(20000);
            spent25 += middle - start;
            spent75 += CLOCK.getCurrentThreadCpuTime() - middle;
        }
    }

    static void printTruth() {
        System.out.printf("{\"functions_ns\": {\"share25\": %d, \"share75\": %d}}%n", spent25, spent75);
    }

    public static void main(String[] arguments) {
        Runtime.getRuntime().addShutdownHook(new Thread(Shares::printTruth));
        spend(2);
        spent25 = spent75 = 0;
        System.out.println("ready");
        spend(Long.parseLong(arguments[0]));
        if (sum == 42)
            System.out.println(sum);
    }
}
