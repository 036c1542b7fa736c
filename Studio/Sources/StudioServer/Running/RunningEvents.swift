import CommandSupport
import CoreDataTools

/// Events of a running program, in the words that a page shows.
struct RunningEvents: Encodable {
  struct Row: Encodable {
    let time: Double
    let kind: String
    let title: String
    let text: String
    let rows: String
    let duration: String
    /// What to do about a finding, and which function caused it.
    let advice: String?
  }

  /// At most so many rows are sent at once: nobody reads more.
  private static let limit = 200

  let rows: [Row]
  /// The number of events that are not among the rows.
  let lost: Int

  init(_ portion: LiveEvents) {
    let findings = portion.events.filter { $0.kind == "finding" }
    let shown = portion.events.count > Self.limit ? findings + portion.events.suffix(Self.limit) : portion.events
    var seen: Set<Int> = []
    rows = shown.filter { seen.insert($0.number).inserted }.map(Self.row)
    lost = portion.lost + portion.events.count - rows.count
  }

  private static func row(_ event: LiveEvents.Event) -> Row {
    let rows =
      event.kind == "save"
      ? "\(event.rows) inserted, \(event.updated ?? 0) updated, \(event.deleted ?? 0) deleted"
      : FigureText.grouped(event.rows)
    let advice = event.advice.map { advice in advice + (event.caller.map { " Asked for by \($0)." } ?? "") }
    return Row(
      time: event.time, kind: event.kind, title: title(event.kind) + (event.failed == true ? ", failed" : ""),
      text: [event.kind == "finding" ? nil : event.relationship ?? event.entity, event.text].compactMap { $0 }
        .joined(separator: " "), rows: rows, duration: FigureText.duration(event.milliseconds / 1000), advice: advice)
  }

  private static func title(_ kind: String) -> String {
    switch kind {
    case "fetchKeys", "fetchDictionaries": "fetch"
    case "objectFault": "fault"
    case "relationshipFault": "relationship fault"
    case "batchRequest": "batch request"
    default: kind
    }
  }
}
