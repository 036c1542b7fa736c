import Foundation
@_spi(Store) import OpenCoreData

/// The plan or the result of a migration, with the keys of the JSON.
public struct MigrateReport: Encodable, Sendable {
  /// The subject of the report.
  public enum Action: String, Encodable, Sendable {
    /// A migration that was only planned.
    case plan
    /// A migration of a copy.
    case rehearsal
    /// A migration of the store.
    case migration
  }

  /// The migration of an entity.
  public struct Entity: Encodable, Sendable {
    /// The entity's name in the destination, or in the source if the entity was removed.
    public var name: String
    /// The name in the source, if it differs.
    public var sourceName: String?
    /// `added`, `removed`, `copied` or `transformed`; with a mapping model, the type of its entity mapping.
    public var change: String
    /// The table in the database; nil if there is none.
    public var table: String?
    /// How the table is migrated.
    public var method: String?
    /// The number of objects of exactly this entity before; nil if it is not known.
    public var objects: Int64?
    /// A line for each property that differs or, with a mapping model, for each property that is mapped.
    public var properties: [String]
  }

  /// A condition that rows must meet.
  public struct Check: Encodable, Sendable {
    /// The entity.
    public var entity: String
    /// The property; nil if the condition concerns the entity itself.
    public var property: String?
    /// The condition.
    public var reason: String
    /// The number of rows that violate the condition; nil if it was not counted.
    public var violations: Int64?
  }

  /// The result of comparing the migrated store with the old one.
  public struct Verification: Encodable, Sendable {
    /// The number of an entity's objects before and after.
    public struct Count: Encodable, Sendable {
      /// The entity.
      public var entity: String
      /// The number before.
      public var before: Int
      /// The number after.
      public var after: Int
    }

    /// The duration of the comparison, in seconds.
    public var seconds: Double
    /// The entities.
    public var entities: [Count]
    /// The number of objects that were compared.
    public var objects: Int
    /// The number of values that were compared.
    public var values: Int
    /// The first differences.
    public var differences: [String]
    /// The number of all differences.
    public var differenceCount: Int
    /// The problems that `coredata store verify` finds, and did not find before.
    public var problems: [String]

    /// Whether the comparison has found no difference and no new problem.
    public var isGood: Bool { differenceCount == 0 && problems.isEmpty }
  }

  /// A step from one version to another.
  public struct Step: Encodable, Sendable {
    /// The version that the step begins with.
    public var source: String
    /// The version that the step leads to.
    public var destination: String
    /// The file of the mapping model; nil for a lightweight migration.
    public var mappingModel: String?
    /// Whether the step follows from the two versions, without a mapping model.
    public var isLightweight: Bool { mappingModel == nil }
    /// The migration of the entities.
    public var entities: [Entity] = []
    /// The conditions that rows must meet. SQL can count the rows that violate them before the migration.
    public var checks: [Check] = []
    /// The conditions that rows must meet, where SQL cannot count the violations before the migration.
    public var conditions: [Check] = []
    /// The statements of the step.
    public var statements: [String] = []
    /// About how many rows are read or written.
    public var rowsTouched: Int64?
    /// The duration of the step, in seconds.
    public var seconds: Double?
    /// The result of the comparison; nil if nothing was compared.
    public var verification: Verification?

    /// The entities that were removed and have objects.
    public var lost: [Entity] { entities.filter { $0.change == "removed" && $0.objects ?? 0 > 0 } }

    enum CodingKeys: String, CodingKey {
      case source, destination, mappingModel, isLightweight, entities, checks, conditions, statements, rowsTouched,
        seconds, verification
    }

    /// Encodes the report as `coredata migrate --format json` prints it; values that are nil are left out.
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

  /// The subject of the report.
  public var action: Action
  /// The store's path, or its URL without a password.
  public var store: String
  /// The kind of the store.
  public var kind: StoreKind
  /// The store's version.
  public var source: String
  /// The version that is wanted.
  public var destination: String
  /// The path of the wanted model.
  public var model: String
  /// The configuration that the store holds; nil for all entities.
  public var configuration: String?
  /// Whether the store has the wanted version already.
  public var isUpToDate = false
  /// The steps that were planned or taken.
  public var steps: [Step] = []
  /// Notes for the reader.
  public var notes: [String]
  /// The place of the backup.
  public var backup: String?
  /// The duration without copies, checks and comparisons.
  public var seconds: Double?
  /// The error; the work before the error is in the steps.
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
    if subject.mirroredRecords != nil, way.steps.allSatisfy({ $0.isInPlace(subject.kind) }), !way.steps.isEmpty {
      notes.append(
        "CloudKit mirrors this store: the numbers of entities in its tables are carried along. Whether a device goes on with "
          + "the file is not known.")
    }
  }

  /// Whether rows prevent a step, or the comparison has found a difference or a problem.
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

  /// The condition in words, with the entity and the property that it concerns.
  public var text: String { [entity, property].compactMap { $0 }.joined(separator: ".") + ": " + reason }
}
