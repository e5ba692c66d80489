import zones from 'virtual:time-zones';
import { runVectors } from '@/testing/run-vectors';
import { timeZoneVectors } from '@/testing/time-zone';
import { type Place, timeZoneOf } from './use-time-zone';

describe('timeZoneOf', () =>
  runVectors(timeZoneVectors, (place: Place) => timeZoneOf(zones, place)));
