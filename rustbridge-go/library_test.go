package rustbridge_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const finder = `package main

import (
	"context"
	_ "embed"
	"fmt"
	"os"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

//go:embed library.bin
var library []byte

func main() {
	if len(os.Args) > 2 {
		if err := rustbridge.UseLibrary(library); err != nil {
			fmt.Println(err)
			return
		}
	}
	plugin, err := rustbridge.Load(os.Args[1], nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer plugin.Close()
	text, err := plugin.Method("greet")
	if err != nil {
		fmt.Println(err)
		return
	}
	answer, err := text.CallJSON(context.Background(), "{\"name\":\"Ada\"}")
	fmt.Println(answer, err, rustbridge.UseLibrary(library) != nil)
}
`

// shared is what the system calls a library.
func shared(name string) string {
	switch {
	case runtime.GOOS == "windows" || forWindows():
		return name + ".dll"
	case runtime.GOOS == "darwin":
		return "lib" + name + ".dylib"
	}
	return "lib" + name + ".so"
}

// forWindows tells whether the programs that are built are for Windows, and are started by what the environment names: the tests that
// build them are a program of Linux's then.
func forWindows() bool { return os.Getenv("RUSTBRIDGE_CROSS_RUNNER") != "" }

// there is a path as the programs know it: to those for Windows the whole file system is drive Z.
func there(path string) string {
	if forWindows() {
		return "Z:" + strings.ReplaceAll(path, "/", `\`)
	}
	return path
}

// built builds a program in a module of its own that uses this one.
func built(t *testing.T, program string, others map[string][]byte) string {
	t.Helper()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	const module = "github.com/rustbridge/rustbridge/rustbridge-go"
	project := t.TempDir()
	files := map[string][]byte{
		"main.go": []byte(program),
		"go.mod":  fmt.Appendf(nil, "module program\n\ngo 1.24\n\nrequire %s v0.1.0\n\nreplace %s => %s\n", module, module, here),
	}
	for name, content := range others {
		files[name] = content
	}
	for name, content := range files {
		file := filepath.Join(project, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "go", "build", "-buildvcs=false", "-o", "program.exe", ".")
	command.Dir = project
	if forWindows() {
		command.Env = append(os.Environ(), "GOOS=windows", "GOARCH=amd64", "CC="+os.Getenv("RUSTBRIDGE_CROSS_CC"))
	}
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return filepath.Join(project, "program.exe")
}

// run runs a program in its folder; what it has said.
func run(t *testing.T, environment []string, program string, arguments ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, program, arguments...)
	if forWindows() {
		command = exec.CommandContext(ctx, os.Getenv("RUSTBRIDGE_CROSS_RUNNER"), append([]string{program}, arguments...)...)
	}
	command.Dir, command.Env = filepath.Dir(program), environment
	said, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	return string(said)
}

func TestTheNativeLibraryIsFoundWhereItMayBe(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short nothing is run that builds other programs: the suite go runs it")
	}
	native, err := os.ReadFile(filepath.Join(folder(), shared("rustbridge")))
	if err != nil {
		t.Fatal(err)
	}
	program := built(t, finder, map[string][]byte{"library.bin": native})
	var bare []string
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "RUSTBRIDGE_LIBRARY=") {
			bare = append(bare, variable)
		}
	}
	plugin, err := filepath.Abs(library("hello"))
	if err != nil {
		t.Fatal(err)
	}
	plugin = there(plugin)
	const greeting = `{"greeting":"Hello, Ada! Welcome to rustbridge."} <nil> true`
	if said := run(t, bare, program, plugin, "embedded"); !strings.Contains(said, greeting) {
		t.Error("embedded:", said)
	}
	if said := run(t, bare, program, plugin); !strings.Contains(said, "NOT_FOUND") || !strings.Contains(said, "RUSTBRIDGE_LIBRARY") {
		t.Error("nowhere:", said)
	}
	if said := run(t, append(bare, "RUSTBRIDGE_LIBRARY="+there(folder())), program, plugin); !strings.Contains(said, greeting) {
		t.Error("by its folder:", said)
	}
	if said := run(t, append(bare, "RUSTBRIDGE_LIBRARY=/nowhere"), program, plugin); !strings.Contains(said, "NOT_FOUND") {
		t.Error("where it isn't:", said)
	}
	other := append(bare, "RUSTBRIDGE_LIBRARY="+there(filepath.Join(folder(), shared("hello_plugin"))))
	if said := run(t, other, program, plugin); !strings.Contains(said, "FAILED_PRECONDITION") {
		t.Error("another library:", said)
	}
	if err := os.WriteFile(filepath.Join(filepath.Dir(program), shared("rustbridge")), native, 0o700); err != nil {
		t.Fatal(err)
	}
	if said := run(t, bare, program, plugin); !strings.Contains(said, greeting) {
		t.Error("beside the program:", said)
	}
}

// The README's program, as it stands there.
func TestTheReadmesProgramRuns(t *testing.T) {
	if testing.Short() {
		t.Skip("with -short nothing is run that builds other programs: the suite go runs it")
	}
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, ok := strings.Cut(string(readme), "```go\n")
	text, _, closed := strings.Cut(text, "```")
	if !ok || !closed {
		t.Fatal("the README has no program")
	}
	plugin, err := os.ReadFile(filepath.Join(folder(), shared("hello_plugin")))
	if err != nil {
		t.Fatal(err)
	}
	program := built(t, text, map[string][]byte{filepath.Join("target", "release", shared("hello")): plugin})
	if said := run(t, os.Environ(), program); said != "Hello, Ada! Welcome to rustbridge.\n" {
		t.Error(said)
	}
}
