{{- define "pointsman.selector" -}}
app.kubernetes.io/name: pointsman
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pointsman.metadata" -}}
namespace: {{ .Release.Namespace }}
labels:
  {{- include "pointsman.selector" . | nindent 2 }}
{{- end }}

{{- define "pointsman.image" -}}
{{- $programs := or .Values.takeOver (ne .Values.mode "nftables") | ternary "-iptables" "" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default (print .Chart.AppVersion $programs) }}{{ end }}
{{- end }}

{{- /* What both containers have: the second is given what the first may do and it may not. */ -}}
{{- define "pointsman.container" -}}
image: {{ include "pointsman.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
env:
  - name: NODE_NAME
    valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
  {{- with .Values.apiServer }}
  {{- if .host }}
  - {name: KUBERNETES_SERVICE_HOST, value: {{ .host | quote }}}
  - {name: KUBERNETES_SERVICE_PORT, value: {{ .port | quote }}}
  {{- end }}
  {{- end }}
  {{- with .Values.extraEnv }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
volumeMounts:
  - {name: config, mountPath: {{ .Values.config.mountPath }}, readOnly: true}
  - {name: tmp, mountPath: /tmp}
  - {name: xtables-lock, mountPath: /run/xtables.lock}
{{- end }}

{{- define "pointsman.arguments" -}}
- --config={{ .Values.config.mountPath }}/{{ .Values.config.key }}
- --node=$(NODE_NAME)
{{- with .Values.extraArgs }}
{{ toYaml . }}
{{- end }}
{{- with .Values.mode }}
- --mode={{ . }}
{{- end }}
{{- end }}

{{- define "pointsman.probe" -}}
httpGet:
  {{- with .Values.healthz.host }}
  host: {{ . | quote }}
  {{- end }}
  port: {{ .Values.healthz.port }}
{{- end }}
