import { Drawing, drawingClass } from './Drawing';

/** A video call with a clinician on the screen, and a free chair in front of it. */
export const VideoCall = ({ className }: { className?: string }) => (
  <Drawing viewBox="0 20 440 260" className={className}>
    <path className={drawingClass.faint} d="M8 276h424" />
    <rect className={drawingClass.shape} x="40" y="40" width="272" height="176" rx="14" />
    <rect className={drawingClass.screen} x="52" y="52" width="248" height="152" rx="7" />
    <path className={drawingClass.line} d="M176 216v60M132 276h88" />
    <path className={drawingClass.shape} d="M116 204v-22c0-30 24-46 60-46s60 16 60 46v22" />
    <path className={drawingClass.line} d="M152 140l24 30 24-30" />
    <circle className={drawingClass.shape} cx="176" cy="98" r="30" />
    <path className={drawingClass.accent} d="M154 146v18c0 16 24 14 24 26" />
    <circle className={drawingClass.dot} cx="178" cy="192" r="5" />
    <rect className={drawingClass.shape} x="240" y="64" width="48" height="40" rx="6" />
    <circle className={drawingClass.soft} cx="264" cy="78" r="7" />
    <path className={drawingClass.soft} d="M250 104c0-9 6-14 14-14s14 5 14 14z" />
    <g transform="translate(336 152)" className={drawingClass.faintShape}>
      <path d="M14 84v40M70 84v40" />
      <rect x="8" width="68" height="60" rx="11" />
      <rect y="70" width="84" height="17" rx="8" />
    </g>
    <circle className={drawingClass.shape} cx="382" cy="48" r="21" />
    <path className={drawingClass.line} d="M382 35v13l9 5" />
  </Drawing>
);
