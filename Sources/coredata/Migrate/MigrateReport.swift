import Foundation
@_spi(Store) import OpenCoreData

/// What a migration means, or has done, in the shape of the JSON.
struct MigrateReport: Encodable {
  enum Action: String, Encodable { case plan, rehearsal, migration }

  struct Entity: Encodable {
    var name: String
    /// The name in the source, where it is another.
    var sourceName: String?
    /// added, removed, copied or transformed; with a mapping model what its type says.
    var change: String
    var table: String?
    /// What becomes of the table.
    var method: String?
    /// How many objects of exactly this entity there are before; nil where that is not known.
    var objects: Int64?
    /// A line for each property that differs, or each that is mapped.
    var properties: [String]
  }

  struct Check: Encodable {
    var entity: String
    var property: String?
    var reason: String
    /// How many rows are not like that.
    var violations: Int64?
  }

  struct Verification: Encodable {
    struct Count: Encodable {
      var entity: String
      var before: Int
      var after: Int
    }

    var seconds: Double
    var entities: [Count]
    var objects: Int
    var values: Int
    /// The first ones, and how many there are of them all.
    var differences: [String]
    var differenceCount: Int
    /// What `coredata store verify` finds, and did not find before.
    var problems: [String]

    var isGood: Bool { differenceCount == 0 && problems.isEmpty }
  }

  struct Step: Encodable {
    var source: String
    var destination: String
    /// The file of the mapping model; nil for a lightweight migration.
    var mappingModel: String?
    var isLightweight: Bool { mappingModel == nil }
    var entities: [Entity] = []
    /// What the rows must be like; counted in the store where SQL can count it before.
    var checks: [Check] = []
    var conditions: [Check] = []
    var statements: [String] = []
    /// About how many rows are read or written.
    var rowsTouched: Int64?
    var seconds: Double?
    var verification: Verification?

    /// The entities that are no more, and have objects.
    var lost: [Entity] { entities.filter { $0.change == "removed" && $0.objects ?? 0 > 0 } }

    enum CodingKeys: String, CodingKey {
      case source, destination, mappingModel, isLightweight, entities, checks, conditions, statements, rowsTouched,
        seconds, verification
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(source, forKey: .source)
      try container.encode(destination, forKey: .destination)
      try container.encodeIfPresent(mappingModel, forKey: .mappingModel)
      try container.encode(isLightweight, forKey: .isLightweight)
      try container.encode(entities, forKey: .entities)
      try container.encode(checks, forKey: .checks)
      try container.encode(conditions, forKey: .conditions)
      try container.encode(statements, forKey: .statements)
      try container.encodeIfPresent(rowsTouched, forKey: .rowsTouched)
      try container.encodeIfPresent(seconds, forKey: .seconds)
      try container.encodeIfPresent(verification, forKey: .verification)
    }
  }

  var action: Action
  var store: String
  var kind: StoreKind
  var source: String
  var destination: String
  var model: String
  var configuration: String?
  var isUpToDate = false
  var steps: [Step] = []
  var notes: [String]
  /// Where the old store is.
  var backup: String?
  /// Without copies, checks and comparisons.
  var seconds: Double?
  /// What went wrong; what was done before is in the steps.
  var error: String?

  init(_ subject: MigrateSubject, _ way: MigrateWay, _ action: Action) {
    self.action = action
    store = subject.url.shown
    kind = subject.kind
    source = way.source
    destination = way.destination
    model = way.destinationURL.path
    configuration = way.configuration
    notes = way.notes
  }

  /// Whether rows stand in the way, or something is not as it must be.
  var hasProblems: Bool {
    steps.contains { step in
      step.checks.contains { $0.violations ?? 0 > 0 } || step.verification?.isGood == false
    }
  }
}

extension MigrateReport.Step {
  init(_ step: MigrateWay.Step) {
    source = step.source
    destination = step.destination
    mappingModel = step.mapping?.path
  }

  mutating func take(_ plan: MigrationPlan) {
    entities = plan.entities.map { entity in
      .init(
        name: entity.name, sourceName: entity.source.flatMap { $0 == entity.name ? nil : $0 },
        change: entity.kind.rawValue, table: entity.table, method: entity.method.rawValue, objects: entity.rows,
        properties: entity.changes)
    }
    checks = plan.checks.map { .init($0.obstacle, violations: $0.violations) }
    statements = plan.statements
    rowsTouched = plan.rowsTouched
  }
}

extension MigrateReport.Check {
  init(_ obstacle: MigrationObstacle, violations: Int64? = nil) {
    (entity, property, reason) = (obstacle.entity, obstacle.property, obstacle.reason)
    self.violations = violations
  }

  var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
