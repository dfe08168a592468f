/** The `data` of events of a session. */
export const sessionFields: Readonly<Record<string, string>> = {
  'session.auto_mode_resolved': `
    chosenModel reasoningBucket categoryScores predictedLabel confidence candidateModels
    routingMethod availableModels fallback fallbackReason selectionReason stickyOverride
    routerLatencyMs endToEndLatencyMs chosenShortfall hasImage
  `,
  'session.auto_tier_recommendation': 'recommendedAutoTier',
  'session.auto_tier_switch_failed': 'effectiveAutoTier requestedAutoTier reason',
  'session.autopilot_objective_changed': 'operation id status',
  'session.autopilot_stopped': 'reason requestId',
  'session.background_tasks_changed': '',
  'session.binary_asset': 'assetId type mimeType byteLength data description metadata',
  'session.canvas.closed': 'instanceId extensionId canvasId',
  'session.canvas.opened': `
    instanceId extensionId extensionName canvasId icon title status url input
  `,
  'session.canvas.recorded': 'instanceId extensionId canvasId title input',
  'session.canvas.registry_changed': 'canvases',
  'session.canvas.removed': 'instanceId extensionId canvasId',
  'session.canvas.unavailable': 'instanceId extensionId canvasId',
  'session.compaction_complete': `
    success outcome outcomeReason failureReason compactionAttemptId model initialModel error
    preCompactionTokens postCompactionTokens preCompactionMessagesLength messagesRemoved
    tokensRemoved tokenAccountingBasis customInstructions summaryContent responsesReasoning
    activeWorkflowSummary behaviorModelId checkpointNumber checkpointPath compactionTokensUsed
    requestId serviceRequestId systemTokens conversationTokens toolDefinitionsTokens statusCode
    tokenLimit targetPromptTokenLimit switchTargetModel trigger
  `,
  'session.compaction_start': `
    compactionAttemptId model systemTokens conversationTokens toolDefinitionsTokens currentTokens
    tokenLimit targetPromptTokenLimit switchTargetModel trigger
  `,
  'session.completion_receipt': `
    schemaVersion attempt sourceEventId eventRange stopReason finalTool successfulToolCount
    failedToolCount
  `,
  'session.context_changed': `
    cwd gitRoot repository hostType repositoryHost branch headCommit baseCommit pendingGitContext
  `,
  'session.context_cleared': 'initialMessage messagesCleared',
  'session.custom_agents_updated': 'agents warnings errors',
  'session.custom_notification': 'source name version subject payload',
  'session.error': `
    originatingMessageId errorType errorCode providerErrorType providerErrorParam
    eligibleForAutoSwitch message remediation stack statusCode providerCallId serviceRequestId url
  `,
  'session.extensions.attachments_pushed': 'attachments',
  'session.extensions_loaded': 'extensions',
  'session.fusion_change_checkpoint': 'codeChanges',
  'session.fusion_commit_started': `
    fusionId commitId sourcePhaseId sourceModel kind toolCallId
  `,
  'session.fusion_completed': `
    fusionId commitId turnId syntheticModel pattern outcome finalSourcePhaseId finalSourceModel
    followUpModel degradedReason phaseCount requestCount inputTokens outputTokens cachedTokens
    cacheWriteTokens totalNanoAiu durationMs awaitingBackgroundWork
  `,
  'session.fusion_handoff': 'fusionId sourcePhaseId targetPhaseId targetModel message',
  'session.fusion_resolved': `
    fusionId turnId contractVersion syntheticModel policy routeSource planVersion policyVersion
    modelUniverseVersion ruleId selectedRuleId ruleIndex ruleName scores pattern hint phasePlan
    primaryModel secondaryModel judgeModel repairModel critics fallbackModel followUpModel
    followUp routingLatencyMs
  `,
  'session.fusion_route_failed': `
    attemptId syntheticModel policy reason errorMessage fallbackModel routingLatencyMs
  `,
  'session.fusion_route_started': 'attemptId turnKind syntheticModel policy',
  'session.handoff': 'handoffTime sourceType repository context summary remoteSessionId host',
  'session.idle': 'aborted mode',
  'session.indexed_search': `
    state kind outcome fileCount startupDurationMs forcedByEnv warmStart disabledReason
    errorMessage eligible errorType exitCode phase changedFileCount addedFileCount
    deletedFileCount totalChangeCount walkDurationMs updateDurationMs totalDurationMs
  `,
  'session.info': 'infoType message url tip',
  'session.managed_plugin_progress': 'phase pluginSpecs',
  'session.managed_settings_enforced': 'action escalation setting failClosed message',
  'session.managed_settings_resolved': `
    permissionsContext source serverManaged deviceManaged clientManaged policyHelperManaged
    failClosed sandboxEnabledByUndeterminedPolicy bypassPermissionsDisabled
    permissionsAllowIntersected managedKeys settings
  `,
  'session.mcp_server_needs_reconnect': 'serverName',
  'session.mcp_server_removed': 'serverName',
  'session.mcp_server_status_changed': `
    serverName status error errorClassification configSource
  `,
  'session.mcp_server_tools_loaded': 'serverName toolCount',
  'session.mcp_servers_loaded': `
    servers{name status source displayName error serverMetadata transport pluginName
    pluginVersion}
  `,
  'session.memory_changed': '',
  'session.mode_changed': 'previousMode newMode',
  'session.mode_notice_delivered': 'mode content',
  'session.model_change': `
    previousModel newModel providerId previousProviderId previousReasoningEffort reasoningEffort
    reasoningEffortModel reasoningEffortManaged previousReasoningSummary reasoningSummary
    previousVerbosity verbosity contextTier contextTierManaged cause source previousAutoTier
    autoTier autoTierManaged
  `,
  'session.model_deselected': 'previousModel reason',
  'session.permission_recovery': `
    episodeId ownerSessionId ownerAgentId status onBlocked reason maxAttempts attempts
  `,
  'session.permissions_changed': 'previousMode mode assistedApprovalModel',
  'session.plan_changed': 'operation',
  'session.quota_observation': 'observation',
  'session.remote_steerable_changed': 'remoteSteerable',
  'session.request_body_compression_disabled': 'encoding',
  'session.resume': `
    resumeTime eventCount eventsFileSizeBytes selectedModel providerId reasoningEffort
    reasoningEffortModel reasoningEffortManaged reasoningSummary verbosity contextTier
    contextTierManaged autoTier autoTierManaged sessionLimits context alreadyInUse
    sessionWasActive remoteSteerable continuePendingWork
  `,
  'session.schedule_cancelled': 'id',
  'session.schedule_created': `
    id intervalMs cron tz at prompt recurring selfPaced displayPrompt origin
  `,
  'session.schedule_rearmed': 'id nextRunAt',
  'session.session_limits_changed': 'sessionLimits',
  'session.shutdown': `
    toolUsageRequestIds accountingSnapshot providerModelMetrics usageAccountingWatermarks
    shutdownType errorReason totalPremiumRequests totalNanoAiu tokenDetails totalApiDurationMs
    sessionStartTime eventsFileSizeBytes codeChanges modelMetrics agentMetrics currentModel
    currentTokens systemTokens conversationTokens toolDefinitionsTokens
  `,
  'session.skills_loaded': `
    skills{name commandName description source userInvocable enabled path argumentHint}
  `,
  'session.snapshot_rewind': 'upToEventId eventsRemoved eventIds',
  'session.start': `
    sessionId version producer copilotVersion startTime selectedModel providerId reasoningEffort
    reasoningEffortModel reasoningEffortManaged reasoningSummary verbosity contextTier
    contextTierManaged autoTier autoTierManaged sessionLimits context githubMcpToolConfig
    alreadyInUse remoteSteerable detachedFromSpawningParentSessionId
  `,
  'session.task_complete': 'summary success outcome reason objectiveId blocker',
  'session.title_changed': 'title',
  'session.todos_changed': '',
  'session.tools_updated': 'model',
  'session.truncation': `
    tokenLimit preTruncationTokensInMessages preTruncationMessagesLength
    postTruncationTokensInMessages postTruncationMessagesLength tokensRemovedDuringTruncation
    messagesRemovedDuringTruncation performedBy
  `,
  'session.usage_checkpoint': `
    toolUsageRequestIds totalNanoAiu accountingSnapshot providerModelMetrics
    usageAccountingWatermarks totalPremiumRequests modelCacheState promptCacheBreakState
  `,
  'session.usage_info': `
    tokenLimit currentTokens messagesLength systemTokens conversationTokens toolDefinitionsTokens
    isInitial
  `,
  'session.usage_record': 'usage',
  'session.warning': 'warningType message originatingMessageId url remediation',
  'session.workspace_file_changed': 'path operation',
}
