//
//  Person+LifeCycle.swift
//

import CoreData
import Kit

private let defaultNickname = "?"

extension Person {

    /// Uses what is private to this file, while the class is in another one.
    override open func awakeFromInsert() {
        super.awakeFromInsert()
        if nickname == nil {
            setPrimitiveValue(defaultNickname, forKey: #keyPath(Person.nickname))
        }
    }

    #if !SOMETHING_ELSE
    @objc override open func summary() -> String {
        let count = (tags as NSSet).count
        return "\(super.summary()) \(name ?? "-") (\(count))"
    }
    #endif

}

extension Team {

    /// As it was written before the framework had it.
    public convenience init(context moc: NSManagedObjectContext) {
        self.init(entity: NSEntityDescription.entity(forEntityName: "Team", in: moc)!, insertInto: moc)
        title = "New"
    }

}
