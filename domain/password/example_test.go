package password_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/password"
)

func ExampleCheck() {
	result := password.Check("clinic")
	fmt.Println(result.OK())
	fmt.Println(result.Problems())
	fmt.Println(password.Check("Clinic2026").OK())
	// Output:
	// false
	// [at least 8 characters at least 1 upper-case letter at least 1 number]
	// true
}
