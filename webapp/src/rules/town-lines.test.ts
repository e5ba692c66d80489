import { runVectors } from '@/testing/run-vectors';
import vectors from '../../../testdata/vectors/town-lines.json';
import { townLines } from './town-lines';

describe('townLines', () => {
  runVectors(vectors, townLines);
});
