module rakazo-infra/pause

go 1.22
