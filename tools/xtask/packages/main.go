package main

import (
	"context"
	"fmt"
	"os"

	rustbridge "github.com/rustbridge/rustbridge/rustbridge-go"
)

func main() {
	plugin, err := rustbridge.Load(os.Args[1], nil)
	if err == nil {
		defer plugin.Close()
		var answer struct{ Greeting string }
		err = plugin.Call(context.Background(), "greet", map[string]string{"name": "Ada"}, &answer)
		fmt.Println(answer.Greeting)
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
