module example.test/hostedcheckout

go 1.26.0

require github.com/vc-admin/diy v0.0.0

replace github.com/vc-admin/diy => ../../..
