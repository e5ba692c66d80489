package password_test

import (
	"fmt"

	"github.com/vc-admin/diy/domain/password"
)

func ExampleCheck() {
	result := password.Check("clinic")
	fmt.Println(len(result.Problems()) == 0)
	fmt.Println(result.Problems())
	fmt.Println(len(password.Check("Clinic2026").Problems()) == 0)
	// Output:
	// false
	// [at least 8 characters at least 1 upper-case letter at least 1 number]
	// true
}
