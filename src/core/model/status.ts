export type Status = 'OK' | 'WARN' | 'ALERT';
