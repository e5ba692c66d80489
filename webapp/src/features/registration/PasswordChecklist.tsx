import { checkPassword, conditions } from '@/rules/password';
import { cx } from '@/ui/cx';
import { CheckIcon, CrossIcon } from '@/ui/icons';

/** The password policy's conditions, each with a mark and a word for whether it is met. */
export function PasswordChecklist({ password }: { password: string }) {
  const met = checkPassword(password);
  const count = conditions.filter(({ key }) => met[key]).length;
  return (
    <div className="text-sm">
      <ul aria-label="What it needs" className="grid gap-1 sm:grid-cols-2">
        {conditions.map(({ key, text }) => (
          <Condition key={key} text={text} met={met[key]} />
        ))}
      </ul>
      <p role="status" className="sr-only">
        {password && `${count} of ${conditions.length} conditions met`}
      </p>
    </div>
  );
}

function Condition({ text, met }: { text: string; met: boolean }) {
  const Mark = met ? CheckIcon : CrossIcon;
  return (
    <li className={cx('flex items-center gap-1.5', met ? 'text-success' : 'text-danger')}>
      <Mark size={16} className="shrink-0" />
      {text}
      <span className="sr-only">{met ? ', met' : ', not met'}</span>
    </li>
  );
}
