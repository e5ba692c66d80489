module example.test/bankdebit

go 1.26.0

require (
	github.com/stretchr/testify v1.12.1
	github.com/vc-admin/diy v0.0.0
)

require go.yaml.in/yaml/v3 v3.0.5 // indirect

replace github.com/vc-admin/diy => ../../..
