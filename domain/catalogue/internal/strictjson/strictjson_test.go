package strictjson_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/vc-admin/diy/domain/catalogue/internal/strictjson"
	"github.com/vc-admin/diy/domain/fault"
)

// pet contains the values that readPet reads.
type pet struct {
	name     string
	age      int
	isTame   bool
	weight   string
	friends  []string
	hasOwner bool
}

func readPet(data string) (pet, error) {
	var problems strictjson.Problems
	o := strictjson.Read([]byte(data), &problems).Object("name", "age", "tame", "weight", "friends", "owner")
	p := pet{name: o.Get("name").Text(), age: o.Get("age").Integer(0, 40), isTame: o.Get("tame").Flag()}
	p.weight, _ = o.Get("weight").Number()
	for _, e := range o.Get("friends").Entries() {
		p.friends = append(p.friends, e.Key)
		for _, place := range e.Node.Items() {
			_ = place.Text()
		}
	}
	owner, found := o.Find("owner")
	p.hasOwner = found && !owner.IsNull()
	return p, problems.Err("the pet")
}

func TestRead_ReturnsAllValuesInOrder(t *testing.T) {
	rex, err := readPet(`{"name": "Rex", "age": 7, "tame": true, "weight": 12.50,
		"friends": {"Tom": ["yard", "street"], "Ann": []}, "owner": null}`)
	require.NoError(t, err)
	assert.Equal(t, pet{name: "Rex", age: 7, isTame: true, weight: "12.50", friends: []string{"Tom", "Ann"}}, rex)
}

func TestRead_ReportsEveryProblem(t *testing.T) {
	const rest = `"tame": true, "weight": 1, "friends": {}`
	tests := []struct {
		name, data string
		want       []fault.Field
	}{
		{"not JSON", "{\n\"name\":\n}", []fault.Field{
			{Name: "file", Message: "is not JSON: line 3: invalid character '}' looking for beginning of value"},
		}},
		{"empty file", "", []fault.Field{
			{Name: "file", Message: "is not JSON: line 1: unexpected end of JSON input"},
		}},
		{"two values", "{} {}", []fault.Field{
			{Name: "file", Message: "is not JSON: line 1: invalid character '{' after top-level value"},
		}},
		{"not an object", `[]`, []fault.Field{{Name: "file", Message: "must be an object"}}},
		{"null", `null`, []fault.Field{{Name: "file", Message: "must be an object"}}},
		{"all keys missing", `{}`, []fault.Field{
			{Name: "name", Message: "is missing"},
			{Name: "age", Message: "is missing"},
			{Name: "tame", Message: "is missing"},
			{Name: "weight", Message: "is missing"},
			{Name: "friends", Message: "is missing"},
		}},
		{"wrong types", `{"name": 1, "age": "7", "tame": 1, "weight": "1", "friends": []}`, []fault.Field{
			{Name: "name", Message: "must be a string"},
			{Name: "age", Message: "must be a number"},
			{Name: "tame", Message: "must be true or false"},
			{Name: "weight", Message: "must be a number"},
			{Name: "friends", Message: "must be an object"},
		}},
		{"null values", `{"name": null, "age": null, "tame": null, "weight": null, "friends": null}`, []fault.Field{
			{Name: "name", Message: "must be a string"},
			{Name: "age", Message: "must be a number"},
			{Name: "tame", Message: "must be true or false"},
			{Name: "weight", Message: "must be a number"},
			{Name: "friends", Message: "must be an object"},
		}},
		{"key in another case", `{"Name": "Rex", "name": "Rex", "age": 1, ` + rest + `}`, []fault.Field{
			{Name: "Name", Message: "unknown key; known are name, age, tame, weight, friends, owner"},
		}},
		{"duplicate key", `{"name": "Rex", "age": 1, "age": 2, ` + rest + `}`, []fault.Field{
			{Name: "age", Message: "duplicate key"},
		}},
		{"nested", `{"name": "Rex", "age": 1, "tame": true, "weight": 1, "friends": {"Tom": ["yard", 3], "Ann": 4}}`,
			[]fault.Field{
				{Name: "friends.Tom[1]", Message: "must be a string"},
				{Name: "friends.Ann", Message: "must be an array"},
			}},
		{"blank text", `{"name": "  ", "age": 1, ` + rest + `}`, []fault.Field{
			{Name: "name", Message: "must be a non-empty string without surrounding whitespace"},
		}},
		{"empty text", `{"name": "", "age": 1, ` + rest + `}`, []fault.Field{
			{Name: "name", Message: "must be a non-empty string without surrounding whitespace"},
		}},
		{"too small", `{"name": "Rex", "age": -1, ` + rest + `}`, []fault.Field{
			{Name: "age", Message: "must be an integer from 0 to 40"},
		}},
		{"too large", `{"name": "Rex", "age": 41, ` + rest + `}`, []fault.Field{
			{Name: "age", Message: "must be an integer from 0 to 40"},
		}},
		{"not an integer", `{"name": "Rex", "age": 7.0, ` + rest + `}`, []fault.Field{
			{Name: "age", Message: "must be an integer from 0 to 40"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := readPet(tt.data)
			assert.Equal(t, fault.Invalid, fault.CodeOf(err))
			assert.Equal(t, tt.want, fault.FieldsOf(err))
		})
	}
}

func TestProblems_ErrListsAllProblems(t *testing.T) {
	var problems strictjson.Problems
	require.NoError(t, problems.Err("the pet"))

	problems.Add("name", "is missing")
	assert.EqualError(t, problems.Err("the pet"), "invalid: the pet has 1 problem:\n  name: is missing")

	problems.Add("age", "is %d", 300)
	assert.EqualError(t, problems.Err("the pet"), "invalid: the pet has 2 problems:\n  name: is missing\n  age: is 300")
}

func TestNode_TypeChecksAddNoProblem(t *testing.T) {
	var problems strictjson.Problems
	n := strictjson.Read([]byte(`"x"`), &problems)
	assert.True(t, n.IsText())
	assert.False(t, n.IsFlag() || n.IsList() || n.IsObject() || n.IsNull() || n.IsMissing())
	assert.NoError(t, problems.Err("the text"))
}
