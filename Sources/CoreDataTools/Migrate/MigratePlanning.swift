import CommandSupport
import CoreData
import Foundation
@_spi(Store) import OpenCoreData

/// Finds out what each step would do. A step after the first is planned with a copy that has been migrated by the earlier
/// steps.
package struct MigratePlanning {
  private let subject: MigrateSubject
  private let way: MigrateWay
  private let progress: ProgressReporter?

  package init(_ subject: MigrateSubject, _ way: MigrateWay, _ progress: ProgressReporter?) {
    (self.subject, self.way, self.progress) = (subject, way, progress)
  }

  package func run(_ report: inout MigrateReport) throws {
    var store = subject.store(way.configuration)
    var copy: Rehearsal?
    defer { withExtendedLifetime(copy) {} }
    for (index, step) in way.steps.enumerated() {
      try progress?.show(ToolProgress("Planning step", index + 1, of: way.steps.count))
      report.steps.append(try MigrateStepPlan(subject, step, store).report())
      let isLast = index == way.steps.count - 1
      // An obstacle to this step keeps later steps from being planned.
      if isLast || report.hasProblems { break }
      if copy == nil {
        let made = try Rehearsal(of: subject.url, subject.kind, options: subject.options)
        copy = made
        store = subject.store(at: made.url, way.configuration)
      }
      do {
        _ = try step.step.run(store)
      } catch {
        throw MigrateError.failed(subject, step, error, copy: store.url, "The store is as it was.")
      }
    }
    if way.steps.count > report.steps.count {
      report.notes.append(
        "The \(way.steps.count - report.steps.count) later steps are not planned: this one would fail.")
    } else if way.steps.count > 1 {
      report.notes.append("There is no way in one step: the steps after the first were planned with a copy.")
    }
  }
}

/// The plan of one step for a store.
package struct MigrateStepPlan {
  private let subject: MigrateSubject
  private let step: MigrateWay.Step
  private let store: ProgressiveMigration.Store

  package init(_ subject: MigrateSubject, _ step: MigrateWay.Step, _ store: ProgressiveMigration.Store) {
    (self.subject, self.step, self.store) = (subject, step, store)
  }

  package func report() throws -> MigrateReport.Step {
    var report = MigrateReport.Step(step)
    if case .mapping(let mapping) = step.step.means {
      let counts = try objectCounts()
      report.entities = (mapping.entityMappings ?? []).map { Self.entity($0, counts) }
      return report
    }
    let inferred = step.step.inferred
    report.conditions = (inferred.obstacles + inferred.conditions).map { .init($0) }
    guard subject.kind.isDatabase else {
      let counts = try objectCounts()
      report.entities = inferred.entities.map { change in
        let before = change.source?.name
        return .init(
          name: change.name, sourceName: before.flatMap { $0 == change.name ? nil : $0 }, change: change.kind.rawValue,
          objects: before.map { counts[$0] ?? 0 }, properties: change.kind == .added ? [] : change.lines)
      }
      return report
    }
    do {
      report.take(try step.step.plan(store))
    } catch {
      throw MigrateError.failed(subject, step, error, copy: store.url, "The store is as it was.")
    }
    return report
  }

  /// Counts the objects of each entity, without those of its subentities.
  private func objectCounts() throws -> [String: Int64] {
    do {
      if subject.kind.isSQLite {
        let inspected = try InspectedStore(store.url, model: step.step.source)
        try requireStructure(of: inspected)
        let names = try inspected.concreteEntities()
        return try Dictionary(uniqueKeysWithValues: names.map { ($0, Int64(try inspected.objectCount(of: $0))) })
      }
      let coordinator = try subject.kind.coordinator(of: store.url, model: step.step.source)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let model = step.step.source
      return try context.performAndWait {
        var counts: [String: Int64] = [:]
        for entity in model.entities where !entity.isAbstract {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
          request.includesSubentities = false
          counts[entity.name ?? ""] = Int64(try context.count(for: request))
        }
        return counts
      }
    } catch let error as ToolError {
      throw error
    } catch {
      throw ToolError(StoreErrors.text(of: error))
    }
  }

  /// - Throws: a ``ToolError`` that names the tables and columns that the store lacks: its objects cannot be read.
  private func requireStructure(of inspected: InspectedStore) throws {
    let kinds: [StoreProblem.Kind] = [.missingTable, .missingColumn]
    let missing = StoreVerification(inspected).problems().filter { kinds.contains($0.kind) }
    if missing.isEmpty { return }
    throw ToolError(
      "The store \(store.url.path) is damaged and cannot be migrated: "
        + missing.map { "\($0.place): \($0.text)" }.joined(separator: "; ") + ".")
  }

  private static func entity(_ mapping: NSEntityMapping, _ counts: [String: Int64]) -> MigrateReport.Entity {
    let (old, new) = (mapping.sourceEntityName, mapping.destinationEntityName)
    let change =
      switch mapping.mappingType {
      case .addEntityMappingType: "added"
      case .removeEntityMappingType: "removed"
      case .copyEntityMappingType: "copied"
      default: "transformed"
      }
    let properties = (mapping.attributeMappings ?? []) + (mapping.relationshipMappings ?? [])
    var lines = properties.compactMap { property in
      property.name.map { "\($0): \(property.valueExpression.map { "\($0)" } ?? "its default value")" }
    }
    if let objects = mapping.sourceExpression.map({ "\($0)" }), !objects.contains("TRUEPREDICATE") {
      lines.insert("of the objects \(objects)", at: 0)
    }
    return .init(
      name: new ?? old ?? "", sourceName: new == nil || new == old ? nil : old, change: change,
      objects: old.map { counts[$0] ?? 0 }, properties: lines)
  }
}
