import { useEffect, useId, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { ChevronDownIcon } from '@/components/icons';
import { cx } from '@/lib/cx';
import { accountPages, showsAccountNavigation } from '@/modules/billing/account-pages';
import { useLoadedConfig } from '@/modules/config/config-store';
import { headerLinkClass, RouteLink } from './RouteLink';
import { useMenu } from './use-menu';

interface AccountMenuProps {
  /** The organisation's name. */
  name: string;
  onSignOut: () => void;
}

/**
 * Shows the organisation's name with the links of its account: as a menu on a wide screen, as a list within the menu of a
 * narrow screen. The list leaves out the links that the page has as tabs.
 */
export function AccountMenu({ name, onSignOut }: AccountMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { isOpen, close, toggle } = useMenu(button);
  const id = useId();
  const config = useLoadedConfig();
  const hasTabs = showsAccountNavigation(useLocation().pathname, config);

  // The listeners are on the document, because Safari does not focus a clicked button or link.
  useEffect(() => {
    if (!isOpen) return;
    const closeOnLeave = ({ target }: Event) => {
      if (!menu.current?.contains(target as Node)) close();
    };
    document.addEventListener('focusin', closeOnLeave);
    document.addEventListener('pointerdown', closeOnLeave);
    return () => {
      document.removeEventListener('focusin', closeOnLeave);
      document.removeEventListener('pointerdown', closeOnLeave);
    };
  }, [isOpen, close]);

  return (
    <div
      ref={menu}
      className="relative wide:ml-1 wide:pl-1 wide:before:absolute wide:before:inset-y-3 wide:before:left-0 wide:before:border-l wide:before:border-line"
    >
      <button
        ref={button}
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={toggle}
        className="hidden min-h-11 max-w-[288px] items-center gap-1 rounded-control px-3 text-sm font-semibold hover:bg-brand-soft hover:text-brand-strong wide:flex"
      >
        <span translate="no" className="min-w-0 text-left wrap-anywhere">
          {name}
        </span>
        <ChevronDownIcon size={16} className={cx('shrink-0', isOpen && 'rotate-180')} />
      </button>
      <p
        translate="no"
        className="mt-2 border-t border-line px-3 pt-3 text-sm text-muted wrap-anywhere wide:hidden"
      >
        {name}
      </p>
      <ul
        id={id}
        className={cx(
          'wide:absolute wide:top-full wide:right-0 wide:z-10 wide:mt-1 wide:w-52 wide:rounded-control wide:border wide:border-line wide:bg-surface wide:p-1 wide:shadow-card',
          !isOpen && 'wide:hidden',
        )}
      >
        {accountPages(config).map(({ label, path }) => (
          <li key={label} className={hasTabs ? 'hidden wide:block' : undefined}>
            <RouteLink to={path}>{label}</RouteLink>
          </li>
        ))}
        <li className="hidden border-t border-line pt-1 wide:mt-1 wide:block">
          <button
            type="button"
            onClick={onSignOut}
            className={cx(headerLinkClass, 'w-full text-left')}
          >
            Sign Out
          </button>
        </li>
      </ul>
    </div>
  );
}
