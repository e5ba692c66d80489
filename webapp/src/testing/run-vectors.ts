import { expect, it } from 'vitest';

interface Case<In, Want> {
  name: string;
  in: In;
  want: Want;
}

/** Runs one of testdata/vectors, the cases that Go runs too. */
export function runVectors<In, Want>(vectors: unknown, rule: (input: In) => Want): void {
  const cases = vectors as Case<In, Want>[];
  it('has cases', () => expect(cases.length).toBeGreaterThan(0));
  for (const { name, in: input, want } of cases) {
    it(name, () => expect(rule(input)).toStrictEqual(want));
  }
}
