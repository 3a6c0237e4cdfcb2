package rustbridge_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"
)

// Every case of conformance/, in each of the ways that Go has to call a method: the judge runs them on internal/testee.
func TestTheJudgeFindsEveryCaseRight(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short the conformance cases aren't run: the suite go runs them")
	}
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Minute)
	defer cancel()
	testee := filepath.Join(t.TempDir(), "testee.exe")
	if said, err := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", testee, "./internal/testee").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	judge := []string{"cargo", "run", "--quiet", "--package", "rustbridge-conformance", "--bin", "rustbridge-conformance", "--"}
	if built := os.Getenv("RUSTBRIDGE_CONFORMANCE_JUDGE"); built != "" {
		judge = []string{built}
	}
	plugins, err := filepath.Abs(folder())
	if err != nil {
		t.Fatal(err)
	}
	judge = append(judge, "run", "--host", "go/cgo", "--plugins", plugins, "--total", "600", "--testee", testee)
	command := exec.CommandContext(ctx, judge[0], judge[1:]...)
	command.Dir = ".."
	command.WaitDelay = time.Minute
	said, err := command.CombinedOutput()
	t.Logf("%s", said)
	if err != nil {
		t.Error(err)
	}
}
