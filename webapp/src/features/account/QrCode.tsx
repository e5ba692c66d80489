/** The margin around a QR code, in modules. Scanners need it. */
const quietZone = 4;

/** A QR code in black and white, whatever the colours of the page. A row has 1 for a dark module and 0 for a light one. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  const size = rows.length + 2 * quietZone;
  const path = rows
    .flatMap((row, y) =>
      [...row.matchAll(/1+/g)].map(
        ({ 0: run, index }) =>
          `M${index + quietZone} ${y + quietZone}h${run.length}v1h-${run.length}z`,
      ),
    )
    .join('');
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="size-52 max-w-full rounded-control border border-line forced-color-adjust-none"
    >
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}
