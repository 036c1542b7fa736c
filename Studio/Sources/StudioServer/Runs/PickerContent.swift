import CommandSupport
import Foundation

/// The content of the page of test programs and their runs.
enum PickerContent {
  static func program(_ program: TestProgram, _ folder: URL?) -> [String: Any] {
    var content: [String: Any] = [
      "id": program.id, "name": program.title, "summary": program.summary,
      "action": Link.path("tests", program.id, "run"), "options": program.options.map { option($0, program.id) },
    ]
    if program.executable(in: folder) == nil { content["missing"] = ["hint": TestRunner.hint(program)] }
    return content
  }

  private static func option(_ option: TestOption, _ program: String) -> [String: Any] {
    var content: [String: Any] = [
      "field": option.name, "fieldID": "\(program)-\(option.name)", "label": option.title,
      "helps": option.help.isEmpty ? [] : [option.help],
    ]
    switch option.kind {
    case .number(let range, let standard):
      content["number"] = [
        "least": range.lowerBound, "most": range.upperBound, "standard": standard.map(String.init) ?? "",
      ]
    case .choices(let all): content["set"] = ["choices": all.map { ["choice": $0.value, "words": $0.title] }]
    case .word(let standard): content["word"] = ["standard": standard]
    }
    return content
  }

  static func suggestion(_ suggestion: TestSuggestion) -> [String: Any] {
    [
      "name": suggestion.title, "action": Link.path("tests", suggestion.program.id, "run"),
      "fields": suggestion.values.map { ["field": $0.name, "value": $0.value] },
      "recorded": suggestion.isRecorded ? ["on"] : [],
    ]
  }

  /// The form values that run the same test again.
  static func again(_ run: RunRecord) -> [String: Any] {
    [
      "action": Link.path("tests", run.program, "run"),
      "fields": run.settings.flatMap { setting in setting.values.map { ["field": setting.name, "value": $0] } },
      "recorded": run.isRecorded ? ["on"] : [],
    ]
  }

  static func run(_ run: RunRecord) -> [String: Any] {
    [
      "id": run.id, "name": run.title, "link": Link.path("tests", "runs", run.id),
      "began": run.started.formatted(Date.ISO8601FormatStyle()), "took": FigureText.duration(run.seconds),
      "memory": FigureText.bytes(run.peakBytes), "settings": run.settingsText, "isRecorded": run.isRecorded,
      "isFailed": run.failure != nil,
    ]
  }
}
