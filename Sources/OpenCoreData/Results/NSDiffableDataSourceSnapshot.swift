import Foundation
import OpenCocoaFoundation

/// The contents of a list at one moment: the identifiers of its sections, and of the items in each.
///
/// UIKit's and AppKit's type of this name, as far as the snapshots of fetched results need it (D-RES-05); sections and
/// items are added at the end only. `NSDiffableDataSourceSnapshotReference` is the one of section names and object IDs.
///
/// ```swift
/// var snapshot = NSDiffableDataSourceSnapshot<String, Int>()
/// snapshot.appendSections(["odd", "even"])
/// snapshot.appendItems([1, 3, 5], toSection: "odd")
/// snapshot.appendItems([2, 4])
/// print(snapshot.numberOfItems, snapshot.itemIdentifiers(inSection: "even"))  // 5 [2, 4]
/// ```
///
/// See also ``NSFetchedResultsController/snapshots``.
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable & Sendable, ItemIdentifierType: Hashable & Sendable
>: Sendable {
  /// The sections in order.
  public private(set) var sectionIdentifiers: [SectionIdentifierType] = []
  /// All items in order.
  public private(set) var itemIdentifiers: [ItemIdentifierType] = []
  /// Items that were changed since the snapshot before.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  /// The position at which each section begins; at the end the number of items.
  private var starts = [0]

  /// A snapshot without sections.
  public init() {}

  init(
    sections: [SectionIdentifierType], starts: [Int], items: [ItemIdentifierType], reloaded: [ItemIdentifierType]
  ) {
    sectionIdentifiers = sections
    self.starts = starts
    itemIdentifiers = items
    reloadedItemIdentifiers = reloaded
  }

  /// The number of sections.
  public var numberOfSections: Int { sectionIdentifiers.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { itemIdentifiers.count }

  /// The number of items in a section. A section that does not exist stops the program.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { range(identifier).count }

  /// The items of a section in order; a section that is not there stops the program.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    Array(itemIdentifiers[range(identifier)])
  }

  /// The section that has an item; nil if none has.
  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    guard let place = indexOfItem(identifier) else { return nil }
    let section = Bisection.first(in: 0..<sectionIdentifiers.count) { starts[$0 + 1] > place }
    return sectionIdentifiers[section]
  }

  /// The place of an item among all items; nil if it is not there. Looks through the items.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

  /// The number of a section; nil if it is not there.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sectionIdentifiers.firstIndex(of: identifier)
  }

  /// Adds sections at the end.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    sectionIdentifiers += identifiers
    starts += Array(repeating: itemIdentifiers.count, count: identifiers.count)
  }

  /// Adds items at the end of a section, or of the last one; without sections it stops the program.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    guard let section = sectionIdentifier.map(number) ?? sectionIdentifiers.indices.last else {
      raise(.internalInconsistency, "There are currently no sections in the data source. Please add a section first.")
    }
    itemIdentifiers.insert(contentsOf: identifiers, at: starts[section + 1])
    for index in (section + 1)..<starts.count { starts[index] += identifiers.count }
  }

  /// Notes that items were changed.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { reloadedItemIdentifiers += identifiers }

  private func number(_ section: SectionIdentifierType) -> Int {
    guard let number = indexOfSection(section) else {
      raise(.internalInconsistency, "Invalid parameter not satisfying: section != NSNotFound (\(section))")
    }
    return number
  }

  private func range(_ section: SectionIdentifierType) -> Range<Int> {
    let number = number(section)
    return starts[number]..<starts[number + 1]
  }
}

extension NSDiffableDataSourceSnapshot: Equatable {}

/// The snapshots that fetched results controllers give their delegates: names of sections, IDs of objects.
public typealias NSDiffableDataSourceSnapshotReference = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
