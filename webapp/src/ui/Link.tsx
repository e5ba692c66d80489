import type { ComponentProps, MouseEvent } from 'react';
import { type To, useHref, useNavigate } from 'react-router-dom';

interface LinkProps extends Omit<ComponentProps<'a'>, 'href'> {
  to: To;
  /** Travels along as the navigation state. */
  state?: unknown;
  replace?: boolean;
}

/** A link within the app. What the browser does with a pressed key or other button stays its own. */
export function Link({ to, state, replace, onClick, ...anchor }: LinkProps) {
  const navigate = useNavigate();

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    if (event.defaultPrevented || !isPlainClick(event)) return;
    event.preventDefault();
    navigate(to, { state, replace });
  }

  return <a {...anchor} href={useHref(to)} onClick={follow} />;
}

function isPlainClick(event: MouseEvent<HTMLAnchorElement>): boolean {
  const { button, metaKey, altKey, ctrlKey, shiftKey, currentTarget } = event;
  const elsewhere = currentTarget.target !== '' && currentTarget.target !== '_self';
  return button === 0 && !elsewhere && !(metaKey || altKey || ctrlKey || shiftKey);
}
