module rollover-sample-go

go 1.19
