// Java's readings as a peer: see protocol.py.

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntConsumer;

public final class Clocks {
  // The second compiler's turn comes after some thousand calls of a method.
  private static final int WARM_UP_CALLS = 30_000;
  private static final int WARM_UP_READINGS = 100;

  private static volatile long sink;

  private static void nanoTime(int n) {
    long sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += System.nanoTime();
    }
    sink = sum;
  }

  // The compiler may see that nobody keeps the object, and make none.
  private static void instant(int n) {
    long sum = 0;
    for (int i = 0; i < n; ++i) {
      Instant now = Instant.now();
      sum += now.getEpochSecond() + now.getNano();
    }
    sink = sum;
  }

  private static double nanosEach(IntConsumer batch, int n) {
    batch.accept(n / 8); // what ran meanwhile has taken the caches
    long before = System.nanoTime();
    batch.accept(n);
    return (double) (System.nanoTime() - before) / n;
  }

  public static void main(String[] args) throws IOException {
    Map<String, IntConsumer> rows = new TreeMap<>();
    rows.put("java/System.nanoTime", Clocks::nanoTime);
    rows.put("java/Instant.now", Clocks::instant);
    for (IntConsumer batch : rows.values()) {
      for (int i = 0; i < WARM_UP_CALLS; ++i) {
        nanosEach(batch, WARM_UP_READINGS);
      }
    }
    System.out.println("ready " + String.join(" ", rows.keySet()));

    BufferedReader requests = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = requests.readLine()) != null; ) {
      String[] words = line.split(" ");
      IntConsumer batch = rows.get(words[0]);
      if (words.length != 2 || batch == null) {
        System.err.println("bad request: " + line);
        System.exit(1);
      }
      System.out.println(nanosEach(batch, Integer.parseInt(words[1])));
    }
  }
}
