import CommandSupport
import CoreData
import CoreDataTools
import Foundation

/// The content of the page of a store.
struct StoreContent: Sendable {
  struct Fact: Sendable {
    let title: String
    let text: String
  }

  struct Entity: Sendable {
    let name: String
    let link: String
    let superentity: String?
    let isAbstract: Bool
    let rows: String
    let allRows: String
    /// The size of the table and of its indexes; subentities are in the table of their root entity.
    let size: String
    let sizeWords: String
    let hash: String
    let wholeHash: String
    let indexes: [String]
    /// The rows as a percentage of the largest entity's rows, for a bar.
    let share: Double
  }

  let name: String
  /// This property is not called `link`, as the property of entities is: a template takes the innermost value of a name.
  let storeLink: String
  let facts: [Fact]
  let entities: [Entity]
  let hasHistory: Bool
  /// Whether the sizes of tables were not measured, but can be measured.
  let canMeasure: Bool

  /// - Parameter sizes: The sizes of the tables of root entities; nil if they were not measured.
  init(
    _ report: StoreInfoReport, _ sizes: [TableSize]?, canMeasure: Bool, _ name: String, model: NSManagedObjectModel
  ) {
    self.canMeasure = sizes == nil && canMeasure
    let sizes = Dictionary((sizes ?? []).map { ($0.entity, $0) }, uniquingKeysWith: { first, _ in first })
    self.name = name
    storeLink = Link.store(name)
    facts = Self.facts(of: report)
    hasHistory = report.history != nil
    let most = Double(report.entities.compactMap(\.rows).max() ?? 0)
    entities = report.entities.map { entity in
      let description = model.entitiesByName[entity.name]
      let size = sizes[entity.name]
      return Entity(
        name: entity.name, link: Link.entity(name, entity.name), superentity: entity.superentity,
        isAbstract: entity.isAbstract ?? false, rows: entity.rows.map(FigureText.grouped) ?? "?",
        allRows: entity.allRows.map(FigureText.grouped) ?? "?",
        size: size.map { FigureText.bytes($0.tableBytes + $0.indexBytes) } ?? "",
        sizeWords: size.map { "rows \(FigureText.bytes($0.tableBytes)), indexes \(FigureText.bytes($0.indexBytes))" }
          ?? "",
        hash: String((entity.hash ?? "").prefix(12)),
        wholeHash: entity.hash ?? "", indexes: Self.indexes(of: description),
        share: most > 0 ? Double(entity.rows ?? 0) / most * 100 : 0)
    }
  }

  private static func indexes(of entity: NSEntityDescription?) -> [String] {
    guard let entity else { return [] }
    let unique = entity.uniquenessConstraints.map { constraint in
      "unique: " + constraint.map { ($0 as? NSPropertyDescription)?.name ?? "\($0)" }.joined(separator: ", ")
    }
    return entity.indexes.map { index in
      index.elements.map { $0.propertyName ?? "expression" }.joined(separator: ", ")
    } + unique
  }

  private static func facts(of report: StoreInfoReport) -> [Fact] {
    var facts = [Fact(title: "Place", text: report.file), Fact(title: "Kind", text: report.kind)]
    func add(_ title: String, _ text: String?) { if let text { facts.append(Fact(title: title, text: text)) } }
    add("UUID", report.uuid)
    add(
      "Model",
      (report.model ?? "none in the store")
        + (report.versionIdentifiers.isEmpty ? "" : ", version \(report.versionIdentifiers.joined(separator: ", "))"))
    add("Framework version", report.frameworkVersion.map(String.init))
    add(
      "Size",
      report.size.map { size in
        FigureText.bytes(size) + (report.logSize.map { $0 > 0 ? ", and \(FigureText.bytes($0)) in the log" : "" } ?? "")
      })
    add("Journal", report.journalMode)
    if let pages = report.pages, let size = report.pageSize {
      add(
        "Pages",
        "\(FigureText.grouped(pages)) of \(FigureText.bytes(size)), \(FigureText.grouped(report.freePages ?? 0)) free"
          + (report.autoVacuum.map { ", auto vacuum \($0)" } ?? ""))
    }
    add(
      "External data",
      report.externalData.map { "\(FigureText.grouped($0.files)) files, \(FigureText.bytes($0.bytes))" })
    add(
      "History",
      report.history.map { history in
        FigureText.count(history.transactions, "transaction")
          + (history.changes.map { ", \(FigureText.count($0, "change"))" } ?? "")
      } ?? "off")
    for detail in report.details ?? [] { add(detail.title, detail.text) }
    if !report.customMetadataKeys.isEmpty { add("Own metadata", report.customMetadataKeys.joined(separator: ", ")) }
    if !report.unknownTables.isEmpty { add("Unknown tables", report.unknownTables.joined(separator: ", ")) }
    return facts
  }
}
