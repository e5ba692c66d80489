const most = 256;
const shifts: readonly number[] = [16, 8, 0];

/** A colour and how many pixels have it. */
type Counted = readonly [colour: number, count: number];

const channel = (colour: number, shift: number) => (colour >> shift) & 0xff;

/**
 * At most 256 colours that stand for all of a picture's, by median cut: as long as there is room,
 * the group of colours that is worst told by one is parted in two.
 */
export function paletteOf(colours: Uint32Array): number[] {
  const counts = new Map<number, number>();
  for (const colour of colours) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const groups: Counted[][] = [[...counts]];
  while (groups.length < Math.min(most, counts.size)) {
    const widest = groups.reduce((a, b) => (badness(b) > badness(a) ? b : a));
    groups.splice(groups.indexOf(widest), 1, ...part(widest));
  }
  return groups.map(commonest);
}

/** The index of the nearest colour of the palette, for every colour. */
export function indicesOf(colours: Uint32Array, palette: readonly number[]): Uint8Array {
  const known = new Map<number, number>();
  return Uint8Array.from(colours, (colour) => {
    const index = known.get(colour) ?? nearest(colour, palette);
    known.set(colour, index);
    return index;
  });
}

function nearest(colour: number, palette: readonly number[]): number {
  const distances = palette.map((other) =>
    shifts.reduce((sum, shift) => sum + (channel(colour, shift) - channel(other, shift)) ** 2, 0),
  );
  return distances.indexOf(Math.min(...distances));
}

/** The channel in which a group's colours are furthest apart, and how far. */
function spread(group: readonly Counted[]): { shift: number; width: number } {
  return shifts
    .map((shift) => {
      const values = group.map(([colour]) => channel(colour, shift));
      return { shift, width: Math.max(...values) - Math.min(...values) };
    })
    .reduce((a, b) => (b.width > a.width ? b : a));
}

/** How badly one colour would stand for the group: many pixels count, but far from in proportion. */
function badness(group: readonly Counted[]): number {
  const pixels = group.reduce((sum, [, count]) => sum + count, 0);
  return spread(group).width * pixels ** 0.25;
}

/** Parts a group in the middle of its widest channel. */
function part(group: readonly Counted[]): [Counted[], Counted[]] {
  const { shift } = spread(group);
  const sorted = group.toSorted(([a], [b]) => channel(a, shift) - channel(b, shift));
  const middle = Math.ceil(sorted.length / 2);
  return [sorted.slice(0, middle), sorted.slice(middle)];
}

/** The colour that most pixels of the group have: flat areas keep exactly theirs. */
function commonest(group: readonly Counted[]): number {
  return group.reduce((a, b) => (b[1] > a[1] ? b : a))[0];
}
