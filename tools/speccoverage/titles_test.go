package main

import (
	"slices"
	"testing"
)

func TestTitlesAreReadAsTheyStand(t *testing.T) {
	const source = `
import { it } from 'vitest'; // it('in a comment', …)
/* describe('in another', () => { it('too', () => {}) }) */
const apostrophe = /[/'"(]/, text = "it('in a text')", markup = <p>Don't {/\(/.test('no test')}</p>;
it('stands alone', () => {});
describe('a group', () => {
  beforeEach(() => serve('something'));
  it("says 'hello'", async () => { expect(` + "`${f('`')} it('in a template')`" + `).toBe(1 / 2 / 3) });
  it('says \'goodbye\'', () => {});
  it.each([['a)', "it('in a table')"]])('of %s', (x) => {});
  describe.each([1])('number %i', () => {
    it.each(table as const)(
      'is counted',
      () => {},
    );
  });
  it.each([
    'a', // )
  ])(
    'on lines of its own',
    () => {},
  );
});
test.describe('in a browser', () => {
  test(` + "`${name}: goes on`" + `, async ({ page }) => {
    await test.step('step by step', async () => {});
    await page.getByRole('button', { name: 'it' }).click();
  });
});
`
	want := []string{
		"stands alone",
		"a group > says 'hello'", "a group > says 'goodbye'", "a group > of %s",
		"a group > number %i > is counted", "a group > on lines of its own",
		"in a browser > ${name}: goes on", "in a browser > ${name}: goes on > step by step",
	}
	if got := titles(source); !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestTitlesOfWhatIsNotRunAreLeftOut(t *testing.T) {
	const source = `
it.skip('a', () => {}); test.fixme('b', () => {}); it.todo('c');
describe.skip('d', () => { it('e', () => {}) });
it.skipIf(slow)('f', () => {}); it.each([1]).skip('g', () => {});
it('runs', () => {});`
	if got := titles(source); !slices.Equal(got, []string{"runs"}) {
		t.Errorf("got %q", got)
	}
}

func TestTitlesOfBrokenSourceEnd(t *testing.T) {
	for _, source := range []string{"it('", "it(", "it.each([", "describe(`${", "it('a', () => { /* ", "test.", "'", "/("} {
		titles(source)
	}
}
