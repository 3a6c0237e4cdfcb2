// The gRPC client in Go: the blocking stub of grpc-go. grpc-bench starts it with the options that clients in all languages have, and
// the package messages is generated when this is built.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/connectivity"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/rustbridge/rustbridge/benches/grpc/go/messages"
)

// Above the blob of 16 MB; gRPC's own limit is 4 MB.
const largestMessage = 32 << 20

// One measure that will be made.
type planned struct {
	scenario scenario
	subject  string
	address  string
	threads  int
}

// A measure as the other clients write it.
type measure struct {
	Scenario string    `json:"scenario"`
	Host     string    `json:"host"`
	Subject  string    `json:"subject"`
	Threads  int       `json:"threads"`
	Harness  string    `json:"harness"`
	NS       []float64 `json:"ns"`
	Single   *single   `json:"single,omitempty"`
}

var (
	tcp    = flag.String("tcp", "", "where the server listens by TCP, HOST:PORT")
	unix   = flag.String("unix", "", "the server's Unix socket")
	pinned = flag.Bool("pinned", false, "client and server share one core: small messages only")
	only   = flag.String("only", "", "only scenarios whose name contains this")
	isLook = flag.Bool("quick", false, "enough for a look, not for a claim")
	list   = flag.Bool("list", false, "print a line per measure and make none")
	smoke  = flag.Bool("smoke", false, "call every method once and look at the answers")
	out    = flag.String("out", "", "where to write the measures")
)

func plan() []planned {
	suffix := ""
	if *pinned {
		suffix = " pinned"
	}
	var all []planned
	along := func(way, address string) {
		for _, scenario := range scenarios {
			if !strings.Contains(scenario.name, *only) || (*pinned && !scenario.pinned) {
				continue
			}
			threads := []int{1}
			if scenario.name == threaded && !*pinned {
				threads = []int{1, 2, 4, 8}
			}
			for _, threads := range threads {
				all = append(all, planned{scenario, "grpc " + way + suffix, address, threads})
			}
		}
	}
	if *tcp != "" {
		along("tcp", "dns:///"+*tcp)
	}
	if *unix != "" {
		along("unix", "unix:"+*unix)
	}
	return all
}

// Gives a stub on a channel that is ready.
func connect(address string) (stub, error) {
	channel, err := grpc.NewClient(address,
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		// Otherwise it's a socket's path, which tonic's HTTP refuses as no host's name.
		grpc.WithAuthority("localhost"),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(largestMessage), grpc.MaxCallSendMsgSize(largestMessage)))
	if err != nil {
		return nil, err
	}
	limit, cancel := context.WithTimeout(background, 10*time.Second)
	defer cancel()
	channel.Connect()
	for state := channel.GetState(); state != connectivity.Ready; state = channel.GetState() {
		if !channel.WaitForStateChange(limit, state) {
			return nil, fmt.Errorf("nobody answers at %s", address)
		}
	}
	return messages.NewBenchClient(channel), nil
}

func run() error {
	all := plan()
	if *list {
		for _, it := range all {
			fmt.Printf("%s\tgo\t\t%s\t%d\n", it.scenario.name, it.subject, it.threads)
		}
		return nil
	}
	effort := full
	if *isLook {
		effort = quick
	}
	stubs := map[string]stub{}
	var measures []measure
	for _, it := range all {
		client, ok := stubs[it.address]
		if !ok {
			connected, err := connect(it.address)
			if err != nil {
				return err
			}
			client, stubs[it.address] = connected, connected
		}
		var operations []operation
		for range it.threads {
			operations = append(operations, it.scenario.make(client))
		}
		if right, err := operations[0](true); err != nil {
			return fmt.Errorf("calling `%s`: %w", it.scenario.name, err)
		} else if !right {
			return fmt.Errorf("`%s` answers something else", it.scenario.name)
		}
		if *smoke {
			fmt.Printf("ok: go, %s, %s, threads %d\n", it.subject, it.scenario.name, it.threads)
			continue
		}
		row := measure{it.scenario.name, "go", it.subject, it.threads, "grpc", nil, nil}
		var err error
		if it.threads == 1 {
			row.NS, row.Single, err = alone(effort, operations[0])
		} else {
			row.NS, err = together(effort, operations)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", it.scenario.name, err)
		}
		measures = append(measures, row)
		sorted := slices.Sorted(slices.Values(row.NS))
		fmt.Fprintf(os.Stderr, "go, %s, %s, threads %d: %.1f µs\n", it.subject, it.scenario.name, it.threads, quantile(sorted, 0.5)/1e3)
	}
	if *out == "" {
		return nil
	}
	tools := filepath.Join(filepath.Dir(*out), "tools-grpc-go.json")
	if err := write(tools, map[string]string{"grpc-go": grpc.Version}); err != nil {
		return err
	}
	return write(*out, measures)
}

func write(file string, value any) error {
	text, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o644)
}

func main() {
	flag.Parse()
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
