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
  public var sectionIdentifiers: [SectionIdentifierType] {
    sectionArray.value { sections.array.map(\.identifier) }
  }
  /// All items in order. They are put into an array when this property is read for the first time.
  public var itemIdentifiers: [ItemIdentifierType] { itemArray.value { items.array } }
  /// The items that were changed since the previous snapshot.
  public private(set) var reloadedItemIdentifiers: [ItemIdentifierType] = []
  /// The sections with their numbers of items. Snapshots of the same controller share parts of this list and of `items`.
  private var sections = CountedSection<SectionIdentifierType>.list([])
  private var items = ChunkedList<ItemIdentifierType>([])
  private var sectionArray = MadeOnce<[SectionIdentifierType]>()
  private var itemArray = MadeOnce<[ItemIdentifierType]>()

  /// Makes a snapshot without sections.
  public init() {}

  init(
    sections: ChunkedList<CountedSection<SectionIdentifierType>>, items: ChunkedList<ItemIdentifierType>,
    reloaded: [ItemIdentifierType]
  ) {
    self.sections = sections
    self.items = items
    reloadedItemIdentifiers = reloaded
  }

  /// The number of sections.
  public var numberOfSections: Int { sections.count }

  /// The number of items in all sections.
  public var numberOfItems: Int { items.count }

  /// Returns the number of items in a section. An unknown section stops the program.
  public func numberOfItems(inSection identifier: SectionIdentifierType) -> Int { sections[number(identifier)].count }

  /// Returns the items of a section in order. An unknown section stops the program.
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    let number = number(identifier)
    let start = sections.extent(before: number)
    return Array(items[start..<start + sections[number].count])
  }

  /// Returns the section that has an item; nil if no section has it.
  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    guard let place = indexOfItem(identifier) else { return nil }
    return sections[sections.place(atExtent: place)].identifier
  }

  /// Returns the place of an item among all items; nil if there is no such item. The items are searched from the
  /// beginning.
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? { items.firstIndex { $0 == identifier } }

  /// Returns the number of a section; nil if there is no such section.
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    sections.firstIndex { $0.identifier == identifier }
  }

  /// Adds sections at the end.
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    sections.insert(contentsOf: identifiers.map { CountedSection(identifier: $0, count: 0) }, at: sections.count)
    sectionArray = MadeOnce()
  }

  /// Adds items at the end of a section or, without a section, of the last one. If there are no sections, the program
  /// stops.
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType], toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    guard let number = sectionIdentifier.map(number) ?? (sections.isEmpty ? nil : sections.count - 1) else {
      raise(.internalInconsistency, "There are currently no sections in the data source. Please add a section first.")
    }
    let section = sections[number]
    items.insert(contentsOf: identifiers, at: sections.extent(before: number) + section.count)
    let longer = CountedSection(identifier: section.identifier, count: section.count + identifiers.count)
    sections.replace(at: number, with: longer)
    itemArray = MadeOnce()
  }

  /// Adds items to those that were changed.
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) { reloadedItemIdentifiers += identifiers }

  private func number(_ section: SectionIdentifierType) -> Int {
    guard let number = indexOfSection(section) else {
      raise(.internalInconsistency, "Invalid parameter not satisfying: section != NSNotFound (\(section))")
    }
    return number
  }
}

extension NSDiffableDataSourceSnapshot: Equatable {
  /// Whether both snapshots have the same sections, items and changed items.
  public static func == (left: Self, right: Self) -> Bool {
    left.sections.array == right.sections.array && left.itemIdentifiers == right.itemIdentifiers
      && left.reloadedItemIdentifiers == right.reloadedItemIdentifiers
  }
}

/// The snapshots that fetched results controllers give their delegates, with names of sections and IDs of objects.
public typealias NSDiffableDataSourceSnapshotReference = NSDiffableDataSourceSnapshot<String, NSManagedObjectID>
