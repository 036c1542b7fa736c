import Foundation
import OpenCocoaFoundation

/// The contents of a list at one moment: the identifiers of its sections, and of the items in each.
///
/// The type of this name in UIKit and AppKit, with the members that the snapshots of fetched results need (D-RES-05).
/// Sections and items can be added only at the end. `NSDiffableDataSourceSnapshotReference` has section names and
/// object IDs.
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
  /// The items that were changed since the previous snapshot.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  /// The place where each section begins, and at the end the number of items.
  private var starts = [0]

  /// Makes a snapshot without sections.
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

  /// Returns the number of items in a section. An unknown section stops the program.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { range(identifier).count }

  /// Returns the items of a section in order. An unknown section stops the program.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    Array(itemIdentifiers[range(identifier)])
  }

  /// Returns the section that has an item; nil if no section has it.
  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    guard let place = indexOfItem(identifier) else { return nil }
    let section = Bisection.first(in: 0..<sectionIdentifiers.count) { starts[$0 + 1] > place }
    return sectionIdentifiers[section]
  }

  /// Returns the place of an item among all items; nil if there is no such item. The items are searched from the
  /// beginning.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { itemIdentifiers.firstIndex(of: identifier) }

  /// Returns the number of a section; nil if there is no such section.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sectionIdentifiers.firstIndex(of: identifier)
  }

  /// Adds sections at the end.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    sectionIdentifiers += identifiers
    starts += Array(repeating: itemIdentifiers.count, count: identifiers.count)
  }

  /// Adds items at the end of a section or, without a section, of the last one. If there are no sections, the program
  /// stops.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    guard let section = sectionIdentifier.map(number) ?? sectionIdentifiers.indices.last else {
      raise(.internalInconsistency, "There are currently no sections in the data source. Please add a section first.")
    }
    itemIdentifiers.insert(contentsOf: identifiers, at: starts[section + 1])
    for index in (section + 1)..<starts.count { starts[index] += identifiers.count }
  }

  /// Adds items to those that were changed.
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

/// The snapshots that fetched results controllers give their delegates, with names of sections and IDs of objects.
public typealias NSDiffableDataSourceSnapshotReference = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
