import type { JSX } from 'preact';
import type { PanelSnapshot } from '../../src/protocol/panel';
import type { PanelActions } from '../panelActions';
import { Icon } from '../ui/icon';
import { WORDS } from '../words';

/** Whose caps apply. */
export function ProfileSelect(props: {
  readonly snapshot: PanelSnapshot;
  readonly actions: PanelActions;
}): JSX.Element {
  const { profile, profiles } = props.snapshot;
  const names = profiles.includes(profile) ? profiles : [profile, ...profiles];
  return (
    <>
      <label for="profile">{WORDS.form.profile}</label>
      <span class="cb-selectbox">
        <select
          id="profile"
          class="cb-select"
          title={WORDS.form.profileTitle}
          value={profile}
          onChange={(event) => props.actions.post({ type: 'setProfile', profile: event.currentTarget.value })}
        >
          {names.map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
        <Icon name="chevron-down" />
      </span>
    </>
  );
}
