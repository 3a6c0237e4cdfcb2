module github.com/rustbridge/rustbridge/rustbridge-go

go 1.24
