import { accountSections } from './accounts';
import { bannerSections } from './banners';
import { chargeSections } from './charges';
import { controlSections } from './controls';
import { featureSections } from './features';
import { noticeSections } from './notices';
import { pageSections } from './pages';
import { paymentSections } from './payments';
import { pictureSections } from './pictures';
import { resultSections } from './results';
import type { Section } from './section';

/** All sections of the page. */
export const sections: Section[] = [
  ...controlSections,
  ...noticeSections,
  ...pictureSections,
  ...chargeSections,
  ...paymentSections,
  ...resultSections,
  ...bannerSections,
  ...pageSections,
  ...featureSections,
  ...accountSections,
];

/** Shows every component in all its states, in the colour scheme of the browser. */
export const Gallery = () => (
  <main className="py-8">
    <div className="page">
      <h1 className="text-3xl">Components</h1>
      <p className="mt-3 text-muted">
        Every component of src/components and src/modules, the shell, and the main components of
        screens, with example data. The browser’s settings choose light or dark.
      </p>
      <nav aria-label="Contents" className="mt-6">
        <ul className="columns-[16rem] gap-x-8 text-sm">
          {sections.map(({ names: [name = '', ...otherNames] }) => (
            <li key={name}>
              <a href={`#${name}`} className="inline-block py-0.5 wrap-anywhere text-link">
                {name}
              </a>
              {otherNames.length > 0 && otherNames.length < 5 && (
                <span className="text-muted">{`, ${otherNames.join(', ')}`}</span>
              )}
            </li>
          ))}
        </ul>
      </nav>
    </div>
    {sections.map((section) => (
      <GallerySection key={section.names[0]} {...section} />
    ))}
  </main>
);

const GallerySection = ({ names, wide, states }: Section) => (
  <section id={names[0]} className="mt-10 border-t border-line pt-6">
    <h2 className="page text-xl">{names.join(', ')}</h2>
    <div
      className={
        wide
          ? 'mt-4 space-y-8'
          : 'page mt-4 grid grid-cols-[repeat(auto-fill,minmax(min(100%,22rem),1fr))] items-start gap-x-8 gap-y-6'
      }
    >
      {Object.entries(states).map(([state, content]) => (
        <div key={state} className="min-w-0">
          <p className={wide ? 'page mb-2 text-sm text-muted' : 'mb-2 text-sm text-muted'}>
            {state}
          </p>
          {content}
        </div>
      ))}
    </div>
  </section>
);
