export { ActivityView } from './activity/activity-view.tsx';
export { HomeView } from './home/home-view.tsx';
export { SettingsView } from './settings/settings-view.tsx';
export { SayableView } from './talk/sayable-view.tsx';
