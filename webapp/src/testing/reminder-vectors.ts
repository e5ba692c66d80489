export { default } from '../../../testdata/vectors/reminders.json';
