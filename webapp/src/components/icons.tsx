import type { ReactNode } from 'react';

interface IconProps {
  /** Width and height in pixels, with text of the normal size. */
  size?: number;
  className?: string;
}

/**
 * Returns the component of a line icon on a 24-pixel grid, hidden from screen readers. The plans page uses these icons,
 * because a library would add 2 kB to its script.
 */
const createIcon = (lines: ReactNode) =>
  function Icon({ size = 20, className }: IconProps) {
    const length = `${size / 16}rem`; // an icon is as large as the text beside it
    return (
      <svg
        aria-hidden="true"
        viewBox="0 0 24 24"
        width={length}
        height={length}
        className={className}
        fill="none"
        stroke="currentColor"
        strokeWidth={2}
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        {lines}
      </svg>
    );
  };

const disc = <circle cx="12" cy="12" r="9" />;

export const CheckIcon = createIcon(<path d="m5 12.5 4.5 4.5 9.5-10" />);
export const DashIcon = createIcon(<path d="M8 12h8" />);
export const CrossIcon = createIcon(<path d="m6 6 12 12M18 6 6 18" />);
export const MenuIcon = createIcon(<path d="M4 6h16M4 12h16M4 18h16" />);
export const ChevronDownIcon = createIcon(<path d="m6 9 6 6 6-6" />);
export const ShieldIcon = createIcon(
  <path d="M12 3 5 6v5c0 5 3 8 7 10 4-2 7-5 7-10V6ZM9 12l2 2 4-4" />,
);
export const LoaderIcon = createIcon(<path d="M21 12a9 9 0 1 1-6.2-8.56" />);
export const InfoIcon = createIcon(
  <>
    {disc}
    <path d="M12 11.5V16M12 8v.010" />
  </>,
);
export const CircleAlertIcon = createIcon(
  <>
    {disc}
    <path d="M12 7.5V13M12 16v.010" />
  </>,
);
export const CircleCheckIcon = createIcon(
  <>
    {disc}
    <path d="m8.5 12.25 2.5 2.5 4.5-5" />
  </>,
);
export const TriangleAlertIcon = createIcon(<path d="M12 4 2.5 20h19ZM12 10v4.5M12 17.25v.010" />);
