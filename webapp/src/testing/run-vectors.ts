import { expect, it } from 'vitest';

interface Case<In, Want> {
  name: string;
  in: In;
  want: Want;
}

/** Declares a test for each case of a file in testdata/vectors. The Go tests run the same cases. */
export function runVectors<In, Want>(vectors: unknown, rule: (input: In) => Want): void {
  const cases = vectors as Case<In, Want>[];
  it('has cases', () => expect(cases.length).toBeGreaterThan(0));
  for (const { name, in: input, want } of cases) {
    it(name, () => expect(rule(input)).toStrictEqual(want));
  }
}
