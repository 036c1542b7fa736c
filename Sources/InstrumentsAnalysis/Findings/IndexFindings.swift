import OpenCoreData

/// Finds fetches for which an index would save work, and fetches that compare every row, which no index can avoid.
struct IndexFindings {
  private(set) var findings: [Finding] = []

  private struct Question: Hashable {
    let statement: Int
    let kind: Recording.Activity.Kind
    let entity: String
    let detail: String?
    let sort: String?
  }

  private struct Answer: Hashable {
    let kind: Finding.Kind
    let entity: String
    let index: [String]?
    let title: String
    let advice: String
  }

  private struct Use {
    var measure = Measure()
    var callers: [String: Double] = [:]
    var requests: [Finding.Request: Double] = [:]

    /// Returns the key with the longest time; of equal times, the key whose text comes first.
    static func longest<Key>(_ times: [Key: Double], _ text: (Key) -> String) -> Key? {
      times.max { ($0.value, text($1.key)) < ($1.value, text($0.key)) }?.key
    }
  }

  init(_ analysis: RecordingAnalysis) {
    let recording = analysis.recording
    var answers: [Question: Answer?] = [:]
    var uses: [Answer: Use] = [:]
    var order: [Answer] = []
    for activity in recording.activities {
      guard [.fetches, .counts].contains(activity.group), let entity = activity.entity else { continue }
      for execution in recording.executions(of: activity) {
        let question = Question(
          statement: execution.statement, kind: activity.kind, entity: entity, detail: activity.detail,
          sort: activity.sort)
        let answer: Answer?
        if let known = answers[question] {
          answer = known
        } else {
          answer = Self.answer(activity, entity, recording.statements[execution.statement])
          answers[question] = .some(answer)
        }
        guard let answer else { continue }
        if uses[answer] == nil { order.append(answer) }
        uses[answer, default: Use()].measure.add(execution.duration, rows: execution.rows)
        let request = Finding.Request(entity: entity, predicate: activity.detail, sort: activity.sort)
        uses[answer]?.requests[request, default: 0] += execution.duration
        if let caller = analysis.paths.caller(activity.stack) {
          uses[answer]?.callers[caller, default: 0] += execution.duration
        }
      }
    }
    for answer in order {
      guard let use = uses[answer] else { continue }
      findings.append(
        Finding(
          kind: answer.kind, title: answer.title, advice: answer.advice,
          caller: Use.longest(use.callers) { $0 }, entity: answer.entity, index: answer.index,
          request: Use.longest(use.requests) { "\($0)" }, count: use.measure.count, rows: use.measure.rows,
          seconds: use.measure.total))
    }
    joinPrefixes()
  }

  /// Joins findings whose index is the beginning of another finding's index, because the longer index serves both.
  private mutating func joinPrefixes() {
    for shorter in findings.indices.reversed() {
      guard let index = findings[shorter].index,
        let longer = findings.indices.first(where: {
          $0 != shorter && findings[$0].entity == findings[shorter].entity
            && (findings[$0].index?.starts(with: index) ?? false)
        })
      else { continue }
      findings[longer].count += findings[shorter].count
      findings[longer].rows += findings[shorter].rows
      findings[longer].seconds += findings[shorter].seconds
      findings.remove(at: shorter)
    }
  }

  private static func answer(
    _ activity: Recording.Activity, _ entity: String, _ statement: Recording.Statement
  ) -> Answer? {
    let query = ExplainedQuery(statement)
    // The attributes by which dictionaries are grouped are not recorded, and neither are those that only their
    // statements use.
    guard !query.groups, query.scansTable || query.sorts else { return nil }
    let predicate = activity.predicate
    let sort = activity.kind == .count ? [] : activity.sortDescriptors
    switch query.advice(entity: entity, predicate: predicate, sortDescriptors: sort) {
    case .served: return nil
    case .missing(let entity, let properties):
      let list = properties.joined(separator: ", ")
      return Answer(
        kind: .missingIndex, entity: entity, index: properties, title: "\(entity) lacks an index by \(list)",
        advice: "Add a fetch index of \(entity) with the elements \(list), in this order.")
    case .impossible(let entity, let keyPath):
      return Answer(
        kind: .scan, entity: entity, index: nil, title: "\(entity) is asked by \(keyPath), which is in another table",
        advice: "No index can have it. Keep a copy in \(entity), as a derived attribute, with an index.")
    case .useless(let entity):
      let scans = predicate.map { PredicateFacts($0).scans } ?? []
      guard !scans.isEmpty else { return nil }
      return Answer(
        kind: .scan, entity: entity, index: nil,
        title: "Every row of \(entity) is compared: \(scans.joined(separator: "; "))", advice: advice(scans))
    }
  }

  private static func advice(_ scans: [String]) -> String {
    let isPrefix = scans.allSatisfy { $0.contains("BEGINSWITH[") || $0.contains("==[") || $0.contains("IN[") }
    return isPrefix
      ? "Compare a normalised copy without [cd]: a derived attribute canonical:(...), with an index."
      : "No index serves that. Look for beginnings (BEGINSWITH without [cd], on a normalised copy), or keep words as objects."
  }
}
