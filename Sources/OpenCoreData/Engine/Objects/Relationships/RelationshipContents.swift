import Foundation
import OpenCocoaFoundation

/// The contents behind the set of `mutableOrderedSetValue(forKey:)`, or `primitiveValue(forKey:)`, of an ordered
/// relationship.
final class RelationshipContents: OrderedContents {
  private let owner: NSManagedObject
  private let slot: PropertySlot
  private weak var order: MemberOrder?
  /// How many times the order was replaced by another one, as a rollback does; the count is kept in the upper half of the
  /// word.
  private var epoch = 0

  /// Whether a change of the set changes the relationship, and not its primitive value alone.
  private let isTracked: Bool

  init(owner: NSManagedObject, slot: PropertySlot, isTracked: Bool = true) {
    self.owner = owner
    self.slot = slot
    self.isTracked = isTracked
  }

  var elements: [Any] { Array(owner.members(slot)) }

  var count: Int { owner.members(slot).count }

  var generation: Int? {
    let now = owner.toManyState(slot.relationIndex).order
    if now !== order {
      order = now
      epoch += 1 << 32
    }
    return now.map { epoch + $0.generation }
  }

  func insert(_ objects: [Any], at indexes: IndexSet) {
    changing { owner.insertMembers(objects.compactMap { owner.member($0, slot) }, at: indexes, slot) }
    if isTracked { keepView() }
  }

  func remove(at indexes: IndexSet) { changing { owner.removeMembers(at: indexes, slot) } }

  func replace(at indexes: IndexSet, with objects: [Any]) {
    changing { owner.replaceMembers(at: indexes, with: objects.compactMap { owner.member($0, slot) }, slot) }
  }

  func move(at indexes: IndexSet, to index: Int) { changing { owner.moveMembers(at: indexes, to: index, slot) } }

  func exchange(_ first: Int, _ second: Int) { changing { owner.exchangeMembers(at: first, second, slot) } }

  func position(of element: Any) -> Int?? {
    guard let object = element as? NSManagedObject else { return nil }
    return owner.members(slot).position(of: object)
  }

  func arrange(_ elements: [Any], _ change: ObservedChange) {
    let members = ContiguousArray(elements.lazy.compactMap { $0 as? NSManagedObject })
    changing { owner.reorder(slot, change) { $0 = members } }
  }

  func set(_ elements: [Any], _ change: ObservedChange) {
    changing { owner.setOrder(ContiguousArray(elements.compactMap { owner.member($0, slot) }), slot) }
  }

  func check(_ index: Int, _ count: Int, _ method: String) { owner.check(index, below: count, slot) }

  private func changing(_ body: () -> Void) { owner.changing(slot, isTracked: isTracked, body) }

  private func keepView() {
    // The set would keep its owner alive, and the owner the set: without a context nothing would end that cycle.
    if owner.isDetached { return }
    let order = owner.toManyState(slot.relationIndex).order
    order?.keptView = order?.view
  }
}
