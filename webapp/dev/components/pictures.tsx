import { CurrencyFlag } from '@/components/CurrencyFlag';
import * as icons from '@/components/icons';
import { Calendar, Letter, Receipt } from '@/components/illustrations/ChairDrawings';
import { Chair, Drawing } from '@/components/illustrations/Drawing';
import { SmallCard } from '@/components/illustrations/SmallCard';
import { SmallReceipt } from '@/components/illustrations/SmallReceipt';
import { VideoCall } from '@/components/illustrations/VideoCall';
import { WaitingRoom } from '@/components/illustrations/WaitingRoom';
import { BrandMark } from '@/modules/payments/BrandMark';
import type { Section } from './section';

const brands = ['visa', 'mastercard', 'amex', 'discover'];

/** Sections with icons, marks and illustrations. */
export const pictureSections: Section[] = [
  {
    names: Object.keys(icons),
    states: {
      'in two sizes': (
        <div className="flex flex-wrap gap-4">
          {Object.entries(icons).map(([name, Icon]) => (
            <span key={name} className="flex items-center gap-1">
              <Icon />
              <Icon size={32} />
            </span>
          ))}
        </div>
      ),
    },
  },
  {
    names: ['BrandMark'],
    states: {
      'in a line of a card': (
        <div className="flex gap-2">
          {brands.map((brand) => (
            <BrandMark key={brand} brand={brand} />
          ))}
        </div>
      ),
      small: (
        <div className="flex gap-2">
          {brands.map((brand) => (
            <BrandMark key={brand} brand={brand} small />
          ))}
        </div>
      ),
    },
  },
  {
    names: ['CurrencyFlag'],
    states: {
      'in four sizes, and for an unknown currency': (
        <div className="flex items-center gap-3">
          <CurrencyFlag code="AUD" size="sm" />
          <CurrencyFlag code="USD" />
          <CurrencyFlag code="EUR" size="lg" />
          <CurrencyFlag code="GBP" size="xl" />
          <CurrencyFlag code="XXX" />
        </div>
      ),
    },
  },
  {
    names: [
      'VideoCall',
      'WaitingRoom',
      'Receipt',
      'SmallReceipt',
      'SmallCard',
      'Calendar',
      'Letter',
      'Drawing',
      'Chair',
      'drawingClass',
    ],
    states: {
      WaitingRoom: <WaitingRoom />,
      VideoCall: <VideoCall />,
      Receipt: <Receipt className="w-50" />,
      'Receipt, for lists': <SmallReceipt className="w-24" />,
      'a card, for lists': <SmallCard className="w-24" />,
      Calendar: <Calendar className="w-50" />,
      'Calendar, close up': <Calendar closeUp className="w-50" />,
      Letter: <Letter className="w-50" />,
      'a Chair in a Drawing': (
        <Drawing viewBox="0 0 64 96" className="w-16">
          <Chair x={0} y={0} />
        </Drawing>
      ),
    },
  },
];
