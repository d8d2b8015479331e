// Go's readings as a peer: see protocol.py.
//
// time.Since of an instant with a monotonic part reads runtime.nanotime and
// nothing else, which cannot be called from outside of Go's own packages.
package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
	"time"
)

const warmUp = 100000

var (
	start       = time.Now()
	timeSink    time.Time
	elapsedSink time.Duration
)

func timeNow(n int) {
	var t time.Time
	for i := 0; i < n; i++ {
		t = time.Now()
	}
	timeSink = t
}

func timeSince(n int) {
	var sum time.Duration
	for i := 0; i < n; i++ {
		sum += time.Since(start)
	}
	elapsedSink = sum
}

func main() {
	rows := map[string]func(int){
		"go/time.Now":   timeNow,
		"go/time.Since": timeSince,
	}
	var names []string
	for name, batch := range rows {
		batch(warmUp)
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Println("ready", strings.Join(names, " "))

	requests := bufio.NewScanner(os.Stdin)
	for requests.Scan() {
		var name string
		var n int
		_, err := fmt.Sscan(requests.Text(), &name, &n)
		batch := rows[name]
		if err != nil || batch == nil || n < 1 {
			fmt.Fprintln(os.Stderr, "bad request:", requests.Text())
			os.Exit(1)
		}
		batch(n / 8) // what ran meanwhile has taken the caches
		before := time.Now()
		batch(n)
		fmt.Println(float64(time.Since(before).Nanoseconds()) / float64(n))
	}
}
