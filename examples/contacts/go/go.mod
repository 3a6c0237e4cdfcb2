module rustbridge.example/contacts

go 1.24

require github.com/rustbridge/rustbridge/rustbridge-go v0.1.0

replace github.com/rustbridge/rustbridge/rustbridge-go => ../../../rustbridge-go
