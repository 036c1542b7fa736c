//
//  Entry+CoreDataProperties.swift
//  Journal
//

import Foundation
import CoreData


extension Entry {

    @nonobjc public class func fetchRequest() -> NSFetchRequest<Entry> {
        return NSFetchRequest<Entry>(entityName: "Entry")
    }

    @NSManaged public var identifier: UUID?
    @NSManaged public var isPinned: Bool
    @NSManaged public var rating: Int16
    @NSManaged public var text: String?
    @NSManaged public var title: String?
    @NSManaged public var author: Author?
    @NSManaged public var tags: NSSet?

}

// MARK: Generated accessors for tags
extension Entry {

    @objc(addTagsObject:)
    @NSManaged public func addToTags(_ value: Tag)

    @objc(removeTagsObject:)
    @NSManaged public func removeFromTags(_ value: Tag)

    @objc(addTags:)
    @NSManaged public func addToTags(_ values: NSSet)

    @objc(removeTags:)
    @NSManaged public func removeFromTags(_ values: NSSet)

}

extension Entry : Identifiable {

}
