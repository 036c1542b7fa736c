import Foundation
@_spi(Store) import OpenCoreData

/// What a migration means, or has done, in the shape of the JSON.
public struct MigrateReport: Encodable, Sendable {
  /// What the report is about.
  public enum Action: String, Encodable, Sendable {
    /// What would happen.
    case plan
    /// What has happened to a copy.
    case rehearsal
    /// What has happened to the store.
    case migration
  }

  /// What becomes of an entity.
  public struct Entity: Encodable, Sendable {
    /// Its name in the destination; in the source where it is no more.
    public var name: String
    /// The name in the source, where it is another.
    public var sourceName: String?
    /// added, removed, copied or transformed; with a mapping model what its type says.
    public var change: String
    /// The table in the database; nil where there is none.
    public var table: String?
    /// What becomes of the table.
    public var method: String?
    /// How many objects of exactly this entity there are before; nil where that is not known.
    public var objects: Int64?
    /// A line for each property that differs, or each that is mapped.
    public var properties: [String]
  }

  /// Something that rows must be like.
  public struct Check: Encodable, Sendable {
    /// The entity.
    public var entity: String
    /// The property; nil where it is the entity itself.
    public var property: String?
    /// What they must be like.
    public var reason: String
    /// How many rows are not like that.
    public var violations: Int64?
  }

  /// What was found when the migrated store was compared with the one before.
  public struct Verification: Encodable, Sendable {
    /// How many objects of an entity there were and are.
    public struct Count: Encodable, Sendable {
      /// The entity.
      public var entity: String
      /// How many there were.
      public var before: Int
      /// How many there are.
      public var after: Int
    }

    /// How long comparing took.
    public var seconds: Double
    /// The entities.
    public var entities: [Count]
    /// How many objects were compared.
    public var objects: Int
    /// How many values were compared.
    public var values: Int
    /// The first ones, and how many there are of them all.
    public var differences: [String]
    /// How many differences there are.
    public var differenceCount: Int
    /// What `coredata store verify` finds, and did not find before.
    public var problems: [String]

    /// Whether all is as it must be.
    public var isGood: Bool { differenceCount == 0 && problems.isEmpty }
  }

  /// From one version to another.
  public struct Step: Encodable, Sendable {
    /// The version that it begins with.
    public var source: String
    /// The version that it leads to.
    public var destination: String
    /// The file of the mapping model; nil for a lightweight migration.
    public var mappingModel: String?
    /// Whether it follows from the two versions alone.
    public var isLightweight: Bool { mappingModel == nil }
    /// What becomes of the entities.
    public var entities: [Entity] = []
    /// What the rows must be like; counted in the store where SQL can count it before.
    public var checks: [Check] = []
    /// What the rows must be like where SQL cannot count it before.
    public var conditions: [Check] = []
    /// The statements that do it.
    public var statements: [String] = []
    /// About how many rows are read or written.
    public var rowsTouched: Int64?
    /// How long it took.
    public var seconds: Double?
    /// What was found afterwards; nil where nothing was compared.
    public var verification: Verification?

    /// The entities that are no more, and have objects.
    public var lost: [Entity] { entities.filter { $0.change == "removed" && $0.objects ?? 0 > 0 } }

    enum CodingKeys: String, CodingKey {
      case source, destination, mappingModel, isLightweight, entities, checks, conditions, statements, rowsTouched,
        seconds, verification
    }

    /// Encodes the report as `coredata migrate --format json` prints it; what is nil is left out.
    public func encode(to encoder: any Encoder) throws {
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

  /// What the report is about.
  public var action: Action
  /// The store's path, or its URL without a password.
  public var store: String
  /// What kind of store it is.
  public var kind: StoreKind
  /// The version that the store is of.
  public var source: String
  /// The version that is wanted.
  public var destination: String
  /// The path of the wanted model.
  public var model: String
  /// The configuration that the store holds; nil for all entities.
  public var configuration: String?
  /// Whether the store is of the wanted version already.
  public var isUpToDate = false
  /// The steps, as far as they were planned or taken.
  public var steps: [Step] = []
  /// What may be of interest.
  public var notes: [String]
  /// Where the old store is.
  public var backup: String?
  /// Without copies, checks and comparisons.
  public var seconds: Double?
  /// What went wrong; what was done before is in the steps.
  public var error: String?

  package init(_ subject: MigrateSubject, _ way: MigrateWay, _ action: Action) {
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
  public var hasProblems: Bool {
    steps.contains { step in
      step.checks.contains { $0.violations ?? 0 > 0 } || step.verification?.isGood == false
    }
  }
}

extension MigrateReport.Step {
  package init(_ step: MigrateWay.Step) {
    source = step.source
    destination = step.destination
    mappingModel = step.mapping?.path
  }

  package mutating func take(_ plan: MigrationPlan) {
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
  package init(_ obstacle: MigrationObstacle, violations: Int64? = nil) {
    (entity, property, reason) = (obstacle.entity, obstacle.property, obstacle.reason)
    self.violations = violations
  }

  /// All of it in words.
  public var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
