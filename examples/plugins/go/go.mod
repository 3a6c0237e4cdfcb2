module shout

go 1.19
